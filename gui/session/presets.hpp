// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/parameter_state.hpp"

#include <QObject>
#include <QString>
#include <map>
#include <string>
#include <vector>

namespace warplens::gui {

/// Named values of one family's parameters, as text; what is absent is at its default.
struct Preset {
    QString name;
    bool shipped = false;
    std::map<std::string, QString> values;

    /// Sets every parameter of the family to what the preset says. Returns what was not taken, or an empty text.
    QString apply(ParameterState& parameters) const;
    /// Whether apply() would change nothing.
    bool matches(const ParameterState& parameters) const;
};

/// The presets of every family: those shipped with the program, and the user's own in a JSON file, written atomically.
class Presets : public QObject {
    Q_OBJECT
public:
    /// Reads presets.json of each family and the user's `path`; a missing file holds nothing.
    explicit Presets(const QString& path, QObject* parent = nullptr);

    /// Shipped ones first, each group by name.
    std::vector<Preset> of(const gpu::Family& family) const;
    /// Keeps the present values under a name, in place of an own preset of that name. Returns why not, or an empty
    /// text.
    QString save(const QString& name, const ParameterState& parameters);
    /// Own ones only. Return why not, or an empty text.
    QString remove(const gpu::Family& family, const QString& name);
    QString rename(const gpu::Family& family, const QString& from, const QString& to);
    /// What was wrong with the files when they were read, a sentence each.
    const QStringList& problems() const { return m_problems; }

signals:
    void changed();

private:
    void read(const QString& path, bool shipped);
    QString write();

    QString m_path;
    QStringList m_problems;
    std::map<std::string, std::vector<Preset>> m_presets;  ///< by family
};

}  // namespace warplens::gui
