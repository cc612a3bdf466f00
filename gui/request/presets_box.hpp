// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/session/parameter_state.hpp"
#include "gui/session/presets.hpp"

#include <QDialog>
#include <QToolButton>

class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;

namespace warplens::gui {

/// Fills a menu with the family's presets.
void fillPresets(QMenu* menu, ParameterState& parameters, Activity& activity, const Presets& presets);

/// Saves the present values under a name, applies, renames and removes presets of the family.
class PresetBox : public QDialog {
    Q_OBJECT
public:
    PresetBox(Presets& presets, ParameterState& parameters, Activity& activity, QWidget* window);

private:
    void refresh();
    /// Says what went wrong, or `done`.
    void say(const QString& why, const QString& done);
    QString chosen() const;

    Presets& m_presets;
    ParameterState& m_parameters;
    Activity& m_activity;
    QListWidget* m_list;
    QLineEdit* m_name;
    QLabel* m_said;
};

/// "Preset: emboss" beside the task's title: which preset the present values are, with a menu of the family's.
class PresetButton : public QToolButton {
    Q_OBJECT
public:
    PresetButton(ParameterState& parameters, Activity& activity, const Presets& presets, QWidget* parent = nullptr);

private:
    void refresh();

    ParameterState& m_parameters;
    Activity& m_activity;
    const Presets& m_presets;
};

}  // namespace warplens::gui
