// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace warplens::io {

/// Uninitialised memory for the values of a picture, aligned for the widest vector loads, to be given back by
/// std::free(). Much of it lies in large pages where the system has them: those are touched first, and pinned for a
/// GPU, ten times as fast. Throws std::bad_alloc.
std::byte* allocate(std::size_t bytes);

/// From so many bytes on allocate() asks for large pages.
constexpr std::size_t kLargePage = std::size_t{2} << 20, kManyBytes = 8 * kLargePage;

}  // namespace warplens::io
