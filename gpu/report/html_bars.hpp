// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <string>

namespace warplens::gpu::html {

/// An inline SVG of the medians that CUDA events timed, quartiles as whiskers, the limit dashed, the axis from 0.
/// Empty when no row was timed so: CPU time ranks nothing.
std::string bars(const Report& report);

/// The stages of each timed row, stacked from 0: upload, layout, the kernel in its idea's colour, or in grey where its
/// time ranks nothing, download, display. Empty when nothing but kernels was timed.
std::string stageBars(const Report& report);

/// The rules that colour a bar by its variant's idea, light and dark.
std::string ideaStyle();

}  // namespace warplens::gpu::html
