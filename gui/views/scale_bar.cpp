// SPDX-License-Identifier: Apache-2.0
#include "gui/views/scale_bar.hpp"

#include "gui/charts/axis.hpp"

#include <cmath>

namespace warplens::gui {

ScaleBar scaleBar(double pixelsPerMm, double most) {
    const double longest = most / pixelsPerMm;
    double mm = std::pow(10.0, std::floor(std::log10(longest)));
    for (const double factor : {5.0, 2.0}) {
        if (mm * factor > longest) continue;
        mm *= factor;
        break;
    }
    return {mm, mm * pixelsPerMm};
}

QString ScaleBar::label() const {
    if (mm < 0.1) return TimeAxis::label(mm * 1000) + QStringLiteral(" µm");
    if (mm >= 1000) return TimeAxis::label(mm / 1000) + QStringLiteral(" m");
    return TimeAxis::label(mm) + QStringLiteral(" mm");
}

}  // namespace warplens::gui
