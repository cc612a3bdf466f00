// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/session/input_files.hpp"
#include "gui/session/request_state.hpp"

#include <QList>
#include <QString>
#include <functional>
#include <vector>

class QAction;
class QDialog;
class QWidget;

namespace warplens::gui {

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

/// Everything by its name: typed letters find it, Return does it.
QDialog* makeCommandPalette(std::vector<PaletteEntry> entries, QWidget* window);

}  // namespace warplens::gui
