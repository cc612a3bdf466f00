// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/layout/task.hpp"
#include "io/grid.hpp"

#include <string>

namespace warplens::gpu::library {

/// Why OpenCV has no function for a task, or empty.
std::string opencvLayoutRefusal(const layout::Asked& asked);

/// copyTo, transpose, rotate, flip, split or merge, slice by slice. Returns milliseconds of the calls alone.
double opencvLayout(const io::Grid& input, const layout::Asked& asked, io::Grid& output);

}  // namespace warplens::gpu::library
