// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/components/reference.hpp"

namespace warplens::gpu::library {

/// connectedComponentsWithStats of a mask made beforehand. Returns milliseconds of the call alone; `output` and
/// `components` are numbered by first pixel, as OpenCV numbers them but for threads that share the rows out.
double opencvComponents(const io::Grid& input, const components::Asked& asked, io::Grid& output,
                        std::vector<components::Measured>& found);

}  // namespace warplens::gpu::library
