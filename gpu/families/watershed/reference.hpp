// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/watershed/arguments.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warplens::gpu::watershed {

/// By the definition: of each pixel whether it is inside and not cut, in a volume as a whole or slice by slice. Throws
/// Error(cancelled).
std::vector<bool> partsOf(const io::Grid& input, const Case& of, const std::stop_token& stop);

/// Of each pixel of a slice 1 + the place of the highest one among itself and its neighbours; 0 outside.
std::vector<std::uint32_t> uphillOf(const io::Grid& slice, const Case& of);

/// The same as by the definition, with peaks that somebody else found: 1 + the place of each pixel's. A pixel whose
/// peak lies outside is one itself.
std::vector<bool> partsOf(const io::Grid& slice, const Case& of, const std::vector<std::uint32_t>& peaks);

}  // namespace warplens::gpu::watershed
