// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace warplens::gpu::layout {

/// In the order of the parameter's choices.
enum class Task {
    copy,
    transpose,
    rotate90,
    rotate180,
    rotate270,
    flipX,
    flipY,
    reslice,
    planar,
    interleaved,
    offset,
    stride,
    crop
};

/// What is asked of one picture, and what comes out.
struct LayoutOptions {
    Task task = Task::copy;
    /// The old axis (0: x, 1: y, 2: z) that becomes the new x, y and z, and whether it is walked backwards.
    std::array<int, 3> axis{0, 1, 2};
    std::array<bool, 3> backwards{};
    int step = 1;
    std::array<std::int64_t, 2> from{};  ///< of a part: its first column and row
    std::string order{};                 ///< "yzx": the old axes that become the new z, y and x
    io::Shape input{}, output{};
    std::string beyond{};  ///< what is to be said of a part that reaches beyond the picture, or empty

    /// Whether values go between planes and pixels, and not between places of a plane.
    bool packs() const { return task == Task::planar || task == Task::interleaved; }
    /// Whether rows of the input become columns of the output.
    bool swaps() const { return axis[0] != 0; }
    /// Of the pixels that planes are made of, or the other way round.
    int packedChannels() const { return task == Task::planar ? input.channels : output.channels; }
    bool readsOutOfStep() const { return task == Task::offset || task == Task::stride; }
};

/// Throws Error(argument) or Error(unsupported) when the picture cannot be taken so.
LayoutOptions parseOptions(const ParameterValues& values, const io::Shape& input);

/// The turn or flip that does what two of them in a row do to a picture; empty where there is none.
std::string composed(Task first, Task second);

/// Where the output lies in space, when the input lies where `of` says.
io::Geometry geometryOf(const LayoutOptions& asked, const io::Geometry& of);

}  // namespace warplens::gpu::layout
