// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/format.hpp"

#include <cmath>

namespace warplens::gui {

/// A value where there is room for few digits: whole ones whole, 0.498 with two digits ".50".
inline QString slotText(double value, int digits) {
    constexpr double kWidest = 1e6;
    if (value == std::floor(value) && std::abs(value) < kWidest) return QString::number(std::llround(value));
    QString text = format::significant(value, digits);
    if (text.startsWith(QLatin1String("0."))) text.remove(0, 1);
    return text;
}

}  // namespace warplens::gui
