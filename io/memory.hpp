// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace warplens::io {

/// Uninitialised memory for the values of a picture, aligned for the widest vector loads, to be given back by
/// std::free(). From kManyBytes on it lies in large pages where the system has them, which are made and pinned for a
/// GPU in a tenth of the time (gpu/run/measurements.md). Throws std::bad_alloc.
std::byte* allocate(std::size_t bytes);

constexpr std::size_t kLargePage = std::size_t{2} << 20, kManyBytes = 8 * kLargePage;

}  // namespace warplens::io
