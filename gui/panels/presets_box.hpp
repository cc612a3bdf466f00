// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"
#include "gui/models/presets.hpp"

#include <QDialog>
#include <QToolButton>

class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;

namespace warplens::gui {

/// Fills a menu with the family's presets.
void fillPresets(QMenu* menu, CompareSession& session, const Presets& presets);

/// Saves the present values under a name, applies, renames and removes presets of the family.
class PresetBox : public QDialog {
    Q_OBJECT
public:
    PresetBox(Presets& presets, CompareSession& session, QWidget* window);

private:
    void refresh();
    /// Says what went wrong, or `done`.
    void say(const QString& why, const QString& done);
    QString chosen() const;

    Presets& m_presets;
    CompareSession& m_session;
    QListWidget* m_list;
    QLineEdit* m_name;
    QLabel* m_said;
};

/// "Preset: emboss" beside the task's title: which preset the present values are, with a menu of the family's.
class PresetButton : public QToolButton {
    Q_OBJECT
public:
    PresetButton(CompareSession& session, const Presets& presets, QWidget* parent = nullptr);

private:
    void refresh();

    CompareSession& m_session;
    const Presets& m_presets;
};

}  // namespace warplens::gui
