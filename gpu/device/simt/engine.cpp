// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/simt/engine.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/simt/block_runner.hpp"
#include "gpu/device/simt/constants.hpp"
#include "gpu/device/simt/dynamic_shared.hpp"
#include "gpu/device/simt/running_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace warplens::gpu::simt {

struct Engine::Arena {
    tbb::task_arena arena;
    tbb::task_group_context group;
    Constants constants;
};

Engine::Engine() : m_arena(std::make_unique<Arena>()) {}
Engine::~Engine() = default;

void Engine::setScheduling(const Scheduling& scheduling) {
    if (scheduling.workers != m_scheduling.workers) {
        m_arena->arena.terminate();
        m_arena->arena.initialize(scheduling.workers > 0 ? scheduling.workers : tbb::task_arena::automatic);
    }
    m_scheduling = scheduling;
}

void Engine::setConstant(void* array, const void* values, std::size_t bytes) {
    m_arena->constants.set(array, values, bytes);
}

int Engine::workers() const { return m_arena->arena.max_concurrency(); }

void checkLaunch(dim3 grid, dim3 block, std::size_t sharedBytes) {
    const auto refuse = [](const std::string& why) {
        throw Error(Error::Kind::argument, "cpu: impossible launch: " + why + ": choose another block shape");
    };
    const auto threads = std::uint64_t{block.x} * block.y * block.z;
    if (threads == 0 || threads > kMaxThreads)
        refuse(std::to_string(threads) + " threads per block, 1 to 1,024 are possible");
    if (block.z > 64) refuse("a block " + std::to_string(block.z) + " threads deep, 64 are possible");
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) refuse("an empty grid");
    // The SIMT device keeps the grid limits of a GPU, so that what runs here runs there.
    if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535) {
        refuse("a grid of " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " + std::to_string(grid.z) +
               " blocks, 2,147,483,647 x 65,535 x 65,535 are possible");
    }
    if (sharedBytes > kMaxSharedBytes)
        refuse(std::to_string(sharedBytes) + " bytes of shared memory, 232,448 are possible");
}

namespace {

/// Visits 0..n-1 in an order that a seed decides: i -> (a i + b) mod n with a coprime to n.
class BlockOrder {
public:
    BlockOrder(std::uint64_t n, std::uint64_t seed) : m_n(n) {
        if (seed == 0 || n < 3) return;
        // Kept under 2^16, so that the product fits 64 bits for every possible grid.
        m_factor = (seed * 0x9e3779b97f4a7c15ULL >> 33) % std::min<std::uint64_t>(n, 1U << 16U) | 1U;
        while (std::gcd(m_factor, n) != 1) m_factor += 2;
        m_offset = seed % n;
    }
    std::uint64_t operator()(std::uint64_t i) const { return (i * m_factor + m_offset) % m_n; }

private:
    std::uint64_t m_n, m_factor = 1, m_offset = 0;
};

}  // namespace

void Engine::run(dim3 grid, dim3 block, std::size_t sharedBytes, Thunk thread) {
    checkLaunch(grid, block, sharedBytes);
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    const BlockOrder order(blocks, m_scheduling.shuffleSeed);
    const bool inOrder = m_scheduling.shuffleSeed == 0;

    std::mutex mutex;
    std::optional<Error> failure;
    m_arena->group.reset();
    const auto stopped = [&] { return m_arena->group.is_group_execution_cancelled() || m_stop.stop_requested(); };
    RunningBlocks running(stopped);
    const auto runBlocks = [&](std::uint64_t first, std::uint64_t end) {
        auto& runner = BlockRunner::current();
        for (auto i = first; i != end; ++i) {
            if (stopped()) return;
            const auto at = inOrder ? i : order(i);
            const uint3 index{static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                              static_cast<unsigned>(at / grid.x / grid.y)};
            // What a block leaves behind must not look like data to the next: NaN as a float.
            if (sharedBytes > 0) std::memset(dynamicShared, 0xff, sharedBytes);
            try {
                runner.run(running, grid, block, index, thread, inOrder ? 0 : m_scheduling.shuffleSeed + at);
            } catch (const Error& error) {
                const std::lock_guard lock(mutex);
                if (!failure && error.kind() != Error::Kind::cancelled) failure = error;
                m_arena->group.cancel_group_execution();
                return;
            }
        }
    };
    // Each worker takes the next blocks in order, so that of those not done the first one is always running: a block
    // may wait for those before it.
    const std::uint64_t grain = std::max<std::uint64_t>(1, blocks / (static_cast<std::uint64_t>(workers()) * 16));
    std::atomic<std::uint64_t> next{0};
    const auto work = [&](int) {
        const RunningBlocks::Worker worker(running);
        for (auto first = next.fetch_add(grain); first < blocks && !stopped(); first = next.fetch_add(grain))
            runBlocks(first, std::min(first + grain, blocks));
    };
    const auto turn = m_arena->constants.turn();
    m_arena->arena.execute([&] { tbb::parallel_for(0, workers(), work, tbb::simple_partitioner(), m_arena->group); });
    if (failure) throw Error(*failure);
    if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "cpu: stopped");
}

}  // namespace warplens::gpu::simt
