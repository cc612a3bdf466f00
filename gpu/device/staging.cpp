// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/staging.hpp"

#include "gpu/core/error.hpp"

#if WARPLENS_HAVE_CUDA
#include "gpu/device/cuda/pinned.hpp"
#endif

#include <algorithm>
#include <iterator>
#include <new>
#include <string>

namespace warplens::gpu {

namespace {

std::shared_ptr<std::byte> allocate(std::size_t bytes, bool pinned) {
#if WARPLENS_HAVE_CUDA
    if (pinned) return cuda::pinned(bytes);
#endif
    (void)pinned;
    auto* memory = new (std::nothrow) std::byte[bytes];
    if (memory == nullptr) {
        throw Error(Error::Kind::outOfMemory,
                    "no memory for the " + std::to_string(bytes) + " bytes of a view: make the window smaller");
    }
    return {memory, std::default_delete<std::byte[]>()};
}

}  // namespace

std::shared_ptr<std::byte> Staging::take(std::size_t bytes) {
    const auto freed = [](const Block& block) { return !block.held->load(std::memory_order_acquire); };
    auto at = std::find_if(m_blocks.begin(), m_blocks.end(),
                           [&](const Block& block) { return freed(block) && block.bytes >= bytes; });
    if (at == m_blocks.end()) {
        // The view has grown: blocks that are too small go.
        std::erase_if(m_blocks, freed);
        m_blocks.push_back({allocate(bytes, m_pinned), std::make_shared<std::atomic<bool>>(false), bytes});
        at = std::prev(m_blocks.end());
    }
    at->held->store(true, std::memory_order_relaxed);
    // Released by whoever looked, on whatever thread: what is read there comes before what is written here next.
    return {at->memory.get(),
            [memory = at->memory, held = at->held](std::byte*) { held->store(false, std::memory_order_release); }};
}

}  // namespace warplens::gpu
