// SPDX-License-Identifier: Apache-2.0
#include "io/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace warplens::io {

std::byte* allocate(std::size_t bytes) {
    constexpr std::size_t kCacheLine = 64;
    const std::size_t alignment = bytes < kManyBytes ? kCacheLine : kLargePage;
    // A whole multiple, as the standard asks; at least one.
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    void* const memory = whole < bytes ? nullptr : std::aligned_alloc(alignment, whole);
    if (memory == nullptr) throw std::bad_alloc();
    if (alignment == kLargePage) ::madvise(memory, whole, MADV_HUGEPAGE);  // a wish: nothing depends on it
    return static_cast<std::byte*>(memory);
}

}  // namespace warplens::io
