// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/parameter.hpp"

#include <QObject>
#include <QString>
#include <map>
#include <string>
#include <vector>

namespace warplens::gui {

/// The values the user chose for one family's parameters. Every value in it is valid; defaults fill what was not
/// chosen.
class ParameterState : public QObject {
    Q_OBJECT
public:
    explicit ParameterState(QObject* parent = nullptr) : QObject(parent) {}

    /// Takes up the family's values where they were left, at first its defaults. The family outlives this object.
    void setFamily(const gpu::Family& family);
    const gpu::Family* family() const { return m_family; }
    const std::vector<gpu::Parameter>& parameters() const;

    /// What was chosen; absent ids mean their defaults.
    const gpu::ParameterValues& values() const { return m_values; }
    /// The same without those that are hidden: what shapes the result.
    gpu::ParameterValues shaping() const;
    /// Of any family, whether it is shown or was left.
    gpu::ParameterValues valuesOf(const gpu::Family& family) const;
    const gpu::Parameter::Value& value(const std::string& id) const;
    /// Takes a value; returns false, changing nothing and filling `why`, when it is not allowed.
    bool set(const std::string& id, const gpu::Parameter::Value& value, QString* why = nullptr);
    /// Takes what a user typed.
    bool setText(const std::string& id, const QString& text, QString* why = nullptr);
    /// Whether forms take lengths in the unit of the picture, where it has one, rather than in pixels. Values are
    /// pixels.
    bool lengthsInUnit() const { return m_lengthsInUnit; }
    void setLengthsInUnit(bool inUnit);
    /// Whether the value shapes the result now; a hidden one keeps its value.
    bool visible(const gpu::Parameter& parameter) const;
    bool isDefault(const std::string& id) const { return value(id) == gpu::valueOf(parameters(), {}, id); }
    /// Whether the family has such a parameter.
    bool has(const std::string& id) const;
    /// Its parameter of that role; null: it has none.
    const gpu::Parameter* findRole(gpu::Parameter::Role role) const { return gpu::findRole(parameters(), role); }
    /// The value of that one; null also where it is of another kind.
    template <class T>
    const T* valueFor(gpu::Parameter::Role role) const {
        const gpu::Parameter* parameter = findRole(role);
        return parameter == nullptr ? nullptr : std::get_if<T>(&value(parameter->id));
    }

signals:
    void familyChanged();
    void changed(const std::string& id);
    void unitChanged();

private:
    const gpu::Family* m_family = nullptr;
    gpu::ParameterValues m_values;
    std::map<const gpu::Family*, gpu::ParameterValues> m_left;  ///< of the other families
    bool m_lengthsInUnit = false;
};

}  // namespace warplens::gui
