// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/layout/task.hpp"

#include <array>
#include <stop_token>

namespace warplens::gpu::layout {

/// A value's place: x, y, z, channel.
using Place = std::array<std::int64_t, 4>;

/// Where a value of the output comes from, task by task as they are defined; shares nothing with the kernels' strides.
Place sourceOf(const LayoutOptions& asked, const Place& to);

/// Compares an output with the input, value by value. Small ones whole; of large ones the first and last rows and every
/// so manieth, whole rows each, so that every column of a tile and both ends of the picture are among them.
Verification verify(const LayoutOptions& asked, const io::Grid& input, const io::Grid& output,
                    const std::stop_token& stop);

}  // namespace warplens::gpu::layout
