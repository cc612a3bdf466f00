// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace warplens::gui {

/// The longest of 1, 2 or 5 times a power of ten that fits.
struct ScaleBar {
    double mm = 0;
    double pixels = 0;
    QString label() const;  ///< "20 mm", "500 µm"
};

/// A bar of at most `most` pixels where a mm has `pixelsPerMm`.
ScaleBar scaleBar(double pixelsPerMm, double most);

}  // namespace warplens::gui
