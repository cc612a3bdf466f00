// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>

namespace warplens::gui {

/// The type sizes there are; nothing is set in any other.
enum class TextSize {
    caption,   ///< 12 px: captions, column heads, hints, ticks
    body,      ///< 13 px: controls, tables
    title,     ///< 13 px bold
    sentence,  ///< 16 px
    figure,    ///< 19 px: one key figure
};

/// Loads the fonts shipped with the program; later calls do nothing. Returns false when one could not be read,
/// and then the system's fonts stand in. Needs a QGuiApplication.
bool loadFonts();

/// Noto Sans, whose digits all have one width.
QFont textFont(TextSize size);
QFont boldFont(TextSize size);
/// The same 1.6 times as large, for a projector, whether its mode is on or not: 20 px and more.
QFont projectorFont(TextSize size);
/// JetBrains Mono, 12 px unless said otherwise, ligatures off.
QFont sourceFont(int pixels = 12);

}  // namespace warplens::gui
