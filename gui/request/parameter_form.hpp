// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/request/fields.hpp"
#include "gui/session/parameter_state.hpp"

#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

class QPushButton;
class QVBoxLayout;

namespace warplens::gui {

/// A form made from a family's declaration of its parameters. Rows appear and go as `visibleWhen` says; what is rarely
/// changed is folded away under "More".
class ParameterForm : public QWidget {
    Q_OBJECT
public:
    explicit ParameterForm(ParameterState& state, QWidget* parent = nullptr);

    /// Puts a widget right below the row of a family's `id`, now and whenever the form is rebuilt; one a row. Keeps
    /// ownership with the caller's parent. It hides itself where it says nothing.
    void setBelow(const gpu::Family& family, const std::string& id, QWidget* widget);
    bool unfolded() const { return m_unfolded; }
    /// Whether a name stands above the form that says which choices were made: they are folded away as well.
    void setNamed(bool named);
    /// What an empty range amounts to: the edges of a result.
    void setFollowedRange(std::optional<std::pair<double, double>> range);
    /// What a number comes to while a word stands for it.
    void setFound(const std::string& id, double value);
    /// Whose pixel size makes lengths of numbers in pixels; null: there is none.
    void setPicture(std::shared_ptr<const io::Grid> picture);

signals:
    /// A file was chosen for a parameter that takes a picture; reading it is somebody else's job.
    void pictureWanted(const std::string& id, const QString& path);
    /// A value that was not taken, and why.
    void refused(const QString& why);
    /// Enter in a text: it is taken, and whoever is at the keys goes on with the picture.
    void done();

private:
    struct Row {
        gpu::Parameter parameter;
        QWidget* widget = nullptr;
        std::function<void()> refresh;
    };
    void rebuild();
    void refresh();
    bool folded(const gpu::Parameter& parameter) const;
    Row makeRow(const gpu::Parameter& parameter);
    QWidget* makeEditor(const gpu::Parameter& parameter, std::function<void()>& refresh);
    ParameterField::Shown shownOf(const gpu::Parameter& parameter) const;
    std::optional<FieldLength> lengthOf(const gpu::Parameter& parameter) const;
    void take(const std::string& id, const gpu::Parameter::Value& value);

    ParameterState& m_state;
    QVBoxLayout* m_layout;
    QPushButton* m_more;
    std::vector<Row> m_rows;
    std::map<std::pair<const gpu::Family*, std::string>, QWidget*> m_below;
    bool m_unfolded = false, m_named = false;
    std::optional<std::pair<double, double>> m_followedRange;
    std::map<std::string, double> m_found;
    std::shared_ptr<const io::Grid> m_picture;
};

}  // namespace warplens::gui
