// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/display.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::render {

/// Draws what is seen of values on the host, bit for bit as a DisplayPainter does of a picture on its device. `values`
/// are reduced by display.level already; `pixels` is the first of 0xffRRGGBB, with `stride` of them from row to row.
void paintOnHost(const io::Grid& values, std::int64_t slice, const Display& display, std::uint32_t* pixels,
                 std::size_t stride);

}  // namespace warplens::gpu::render
