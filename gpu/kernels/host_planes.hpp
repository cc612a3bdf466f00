// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstddef>
#include <vector>

namespace warplens::gpu {

// What layout.cuh does on a device, for rows that run elsewhere: channel after channel, each width x height x depth.

/// The values of a picture as planes.
std::vector<std::byte> planesOf(const io::Grid& grid);
/// The first `channels` channels of a picture from planes of its type.
void fillFromPlanes(const std::vector<std::byte>& planes, int channels, io::Grid& grid);
/// The channels from `first` on, converted to the type of `to`.
void copyChannels(const io::Grid& from, int first, io::Grid& to);

}  // namespace warplens::gpu
