// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/report/html.hpp"
#include "io/grid.hpp"

namespace warplens::cli {

/// What values a preview maps to black and white.
struct DisplayRange {
    double low = 0, high = 255;
};

/// 0 to 255 for u8; else the finite extremes of the values.
DisplayRange displayRange(const io::Grid& grid);

/// At most 640 pixels a side (nearest values, never invented ones), the middle slice of a volume, as u8. NaN is black,
/// labels are in colours.
io::Grid preview(const io::Grid& grid, const DisplayRange& range);

/// Input and results as PNG, all results with one range; without a codec the sentence why there are none.
gpu::HtmlExtras reportPictures(const gpu::Comparison& comparison);

}  // namespace warplens::cli
