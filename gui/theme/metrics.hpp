// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui {

/// Heights and gaps in logical pixels: an 8 px grid.
constexpr int kGap = 8;
constexpr int kDockMargin = 12;
constexpr int kRowHeight = 24;       ///< table row, caption, field
constexpr int kHeadHeight = 28;      ///< button, column head, status bar
constexpr int kTitleHeight = 32;     ///< dock title, form row
constexpr int kStripHeight = 36;     ///< tool strip, inspector, variant with its idea
constexpr int kHeaderHeight = 44;
constexpr int kGlyphBox = 14;
constexpr int kPaneMinWidth = 240, kPaneMinHeight = 160;

}  // namespace warplens::gui
