// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui {

/// Projector mode: larger type, more contrast, thicker lines. Theme::setProjector() switches it.
bool projector();
/// What type is multiplied with in a large window, and in one of a projector of 1280 x 720: there 13 px, that is 1.8 %
/// of the height, are nearly what 1.6 makes of it on 1920 x 1080.
inline constexpr double kProjectorType = 1.6, kSmallProjectorType = 1.25;
/// 1: no projector mode.
void setProjectorMetrics(double type);
/// What type and the heights made for it are multiplied with: 1 outside projector mode.
double typeScale();
/// What lines over pictures and in charts are multiplied with: 1, or 2 in projector mode.
double lineScale();

/// A length in logical pixels at the present scale of type.
class Length {
public:
    constexpr explicit Length(int plain) : m_plain(plain) {}
    operator int() const;
    constexpr int plain() const { return m_plain; }

private:
    int m_plain;
};

/// Heights and gaps: an 8 px grid.
inline constexpr Length kGap{8};
inline constexpr Length kDockMargin{12};
inline constexpr Length kRowHeight{24};    ///< table row, caption, field
inline constexpr Length kHeadHeight{28};   ///< button, column head, status bar
inline constexpr Length kTitleHeight{32};  ///< dock title, form row
inline constexpr Length kStripHeight{36};  ///< tool strip, inspector, variant with its idea
inline constexpr Length kHeaderHeight{44};
inline constexpr Length kGlyphBox{14};
inline constexpr Length kLabelWidth{76};  ///< at least, of a label before its field
/// Larger type leaves less of the window to the panes.
int paneMinWidth();
int paneMinHeight();

}  // namespace warplens::gui
