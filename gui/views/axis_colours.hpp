// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/theme/tokens.hpp"

#include <QColor>
#include <QString>
#include <array>

namespace warplens::gui {

/// x, y or z as an index, its letter, and its colour: on titles, and (the dark scheme's, which shows on any picture)
/// on crosshairs.
inline constexpr std::array kAxisLetters{u'x', u'y', u'z'};

inline QColor axisColour(int axis, Scheme scheme) {
    constexpr std::array<QRgb, 3> kDark{0xfff0855c, 0xfffae27e, 0xff7fe9f6}, kLight{0xff8f2d04, 0xff605200, 0xff006074};
    return QColor::fromRgb((scheme == Scheme::dark ? kDark : kLight)[static_cast<std::size_t>(axis)]);
}

}  // namespace warplens::gui
