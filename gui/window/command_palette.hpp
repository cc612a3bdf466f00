// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/session/input_files.hpp"
#include "gui/session/request_state.hpp"

#include <QDialog>
#include <QList>
#include <QString>
#include <functional>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace warplens::gui {

class ElidedLabel;
class Presets;

/// One thing that can be asked for by name.
struct PaletteEntry {
    QString group;  ///< "Action", "Filter", "Variant", "Preset", "Sample"
    QString text;
    QString keys;  ///< as on the key sheet, or empty
    std::function<void()> run;
    QString command;  ///< the command line that does the same, or empty
};

/// What can be asked for now: enabled actions, families, the choices of the family's parameters (its filters), its
/// variants, its presets, and samples.
std::vector<PaletteEntry> paletteEntries(const QList<QAction*>& actions, RequestState& request, InputFiles& inputs,
                                         Activity& activity, const Presets& presets);

/// How well a text answers what was typed: its letters in order, best at the beginnings of words; negative: not at all.
int matchScore(const QString& typed, const QString& text);

/// Everything by name: typing narrows the list, arrows choose, Enter does it, Esc leaves. Below stands the command line
/// that does the same, which Ctrl+C copies.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(std::vector<PaletteEntry> entries, QWidget* window);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow();
    void take();
    const PaletteEntry* current() const;
    void showCommand();
    void copyCommand();

    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_text;
    QListWidget* m_list;
    QLabel* m_none;  ///< in its place, when nothing is found
    ElidedLabel* m_command;
};

}  // namespace warplens::gui
