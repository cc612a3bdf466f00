// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/simt/block_runner.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace warplens::gpu::simt {
namespace {

std::string placeOf(const Fiber& fiber) {
    const char* slash = std::strrchr(fiber.file, '/');
    return std::string(slash ? slash + 1 : fiber.file) + ":" + std::to_string(fiber.line);
}

/// Whether both wait at the same place for the same lanes.
bool together(const Fiber& a, const Fiber& b) {
    return a.mask == b.mask && a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

}  // namespace

constinit thread_local Builtins builtins{};

/// Stacks of all fibers of one runner, each above a guard page, so that an overflow faults instead of corrupting.
/// Guards split the mapping, and a process may have 65,530 mappings: only the first eight runners get them.
class BlockRunner::StackMemory {
public:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    static constexpr std::size_t kStackBytes = 256 * 1024;
#else
    static constexpr std::size_t kStackBytes = 64 * 1024;
#endif
    StackMemory() : m_page(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), m_stride(kStackBytes + 2 * m_page) {
        void* base = mmap(nullptr, m_stride * kMaxThreads, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (base == MAP_FAILED) {
            throw Error(Error::Kind::outOfMemory,
                        "cpu: no address space for the stacks of 1,024 threads: raise the limit (ulimit -v)");
        }
        m_base = static_cast<char*>(base);
        static std::atomic<int> runners{0};
        constexpr int kGuardedRunners = 8;
        const bool guarded = runners++ < kGuardedRunners;
        for (std::size_t i = 0; guarded && i < kMaxThreads; ++i) {
            if (mprotect(m_base + i * m_stride, m_page, PROT_NONE) != 0) break;
        }
    }
    ~StackMemory() { munmap(m_base, m_stride * kMaxThreads); }
    StackMemory(const StackMemory&) = delete;
    StackMemory& operator=(const StackMemory&) = delete;

    // Tops are staggered by a few cache lines: equal offsets a power of two apart would share cache sets
    // (seen to cost 1.3 to 1.7 times).
    void* bottom(std::size_t i) const { return m_base + i * m_stride + m_page; }
    std::size_t bytes(std::size_t i) const { return kStackBytes + (i * 192) % m_page / 64 * 64; }

private:
    std::size_t m_page, m_stride;
    char* m_base = nullptr;
};

BlockRunner::BlockRunner() : m_memory(std::make_unique<StackMemory>()) { m_scheduler.adopt(); }

BlockRunner::~BlockRunner() {
#if defined(__SANITIZE_ADDRESS__)
    // What comes to lie there next, as another thread's stack and its thread-local arrays, is no frame of a fiber.
    for (std::size_t i = 0; i < m_fibers.size(); ++i)
        __asan_unpoison_memory_region(m_memory->bottom(i), m_memory->bytes(i));
#endif
}

BlockRunner& BlockRunner::current() {
    static thread_local BlockRunner runner;
    return runner;
}

uint3 BlockRunner::indexOf(unsigned thread) const {
    return {thread % m_block.x, thread / m_block.x % m_block.y, thread / (m_block.x * m_block.y)};
}

void BlockRunner::become(const Fiber& fiber) {
    builtins.threadIdx = fiber.index;
    builtins.lane = fiber.thread % kWarpSize;
}

void BlockRunner::fiberMain(boost::context::detail::transfer_t transfer) {
    auto& runner = current();
    Stack::arrived(runner.m_running->stack, transfer);
    for (;;) {
        // The first thread that suspends leaves this stack to itself; the scheduler starts the rest on another.
        Fiber& self = *runner.m_running;
        while (runner.m_started < runner.m_threads) {
            self.thread = runner.m_order[runner.m_started++];
            self.index = runner.indexOf(self.thread);
            become(self);
            if (runner.m_observer != nullptr) runner.m_observer->threadStarted(self.thread);
            runner.m_thread.call(runner.m_thread.closure);
            if (runner.m_observer != nullptr) runner.m_observer->threadEnded(self.thread);
            runner.m_returned[self.thread] = true;
            ++runner.m_done;
        }
        self.wait = WaitReason::nothing;
        runner.leave(self);
    }
}

Fiber& BlockRunner::idleFiber() {
    if (m_idle.empty()) {
        const auto i = m_fibers.size();
        m_fibers.push_back(std::make_unique<Fiber>());
        m_fibers.back()->stack.reset(m_memory->bottom(i), m_memory->bytes(i), &BlockRunner::fiberMain);
        m_idle.push_back(m_fibers.back().get());
    }
    Fiber& fiber = *m_idle.back();
    m_idle.pop_back();
    return fiber;
}

void BlockRunner::resume(Fiber& fiber) {
    m_running = &fiber;
    Stack::jump(m_scheduler, fiber.stack);
}

/// From a fiber that waits or is done straight to the next that goes on: through the scheduler it would be two
/// switches.
void BlockRunner::leave(Fiber& self) {
    (self.wait == WaitReason::nothing ? m_idle : m_waiting).push_back(&self);
    if (m_next == m_resuming.size()) {
        Stack::jump(self.stack, m_scheduler);
        return;
    }
    m_running = m_resuming[m_next++];
    Stack::jump(self.stack, m_running->stack);
}

void BlockRunner::suspend(WaitReason wait, unsigned mask, const char* file, int line) {
    Fiber& self = *m_running;
    self.wait = wait;
    self.mask = mask;
    self.file = file;
    self.line = line;
    if (m_observer != nullptr) m_observer->threadBlocked(self.thread, wait);
    leave(self);
    become(self);
    if (m_observer != nullptr) m_observer->threadResumed(self.thread);
}

void BlockRunner::suspendUntil(Condition condition, const char* function, const char* file, int line) {
    m_running->condition = condition;
    m_running->function = function;
    ++m_conditions;
    suspend(WaitReason::condition, 0, file, line);
}

void BlockRunner::startAll() {
    while (m_started < m_threads) resume(idleFiber());
}

bool BlockRunner::releaseBarrier() {
    if (m_waiting.size() != m_threads) return false;
    const Fiber& first = *m_waiting.front();
    const bool all = std::all_of(m_waiting.begin(), m_waiting.end(), [&](const Fiber* f) {
        return f->wait == WaitReason::barrier && f->line == first.line && std::strcmp(f->file, first.file) == 0;
    });
    if (!all) return false;
    m_released.swap(m_waiting);
    return true;
}

/// Lanes of a warp that wait at the same place with the same mask, once all of the mask is there: gives each what all
/// gave, and returns them. One exchange per warp at a time: its values are read by the lanes that are freed.
unsigned BlockRunner::exchangeOf(unsigned warp) {
    Fiber* const* lane = &m_lanes[std::size_t{warp} * kWarpSize];
    // Lanes that the block does not have cannot be waited for.
    const unsigned present = std::min(kWarpSize, m_threads - warp * kWarpSize);
    const unsigned all = present == kWarpSize ? ~0U : (1U << present) - 1;
    for (unsigned leader = 0; leader < kWarpSize; ++leader) {
        if (lane[leader] == nullptr) continue;
        const Fiber& lead = *lane[leader];
        const unsigned mask = lead.mask & all;
        bool complete = true;
        for (unsigned i = 0; i < kWarpSize && complete; ++i) {
            if (mask >> i & 1U) complete = lane[i] != nullptr && together(*lane[i], lead);
        }
        if (!complete) continue;
        Exchange& exchange = m_exchanges[warp];
        exchange.present = mask;
        for (unsigned i = 0; i < kWarpSize; ++i) {
            if (!(mask >> i & 1U)) continue;
            exchange.value[i] = lane[i]->value;
            if (lane[i]->matrix != nullptr) std::copy_n(lane[i]->matrix, kMatrixValues, exchange.matrix[i]);
        }
        return mask;
    }
    return 0;
}

void BlockRunner::releaseWarps() {
    m_lanes.assign(m_exchanges.size() * kWarpSize, nullptr);
    bool any = false;
    for (Fiber* f : m_waiting) {
        if (f->wait != WaitReason::warp) continue;
        m_lanes[f->thread] = f;
        any = true;
    }
    if (!any) return;
    m_freed.clear();
    for (unsigned warp = 0; warp < m_exchanges.size(); ++warp) m_freed.push_back(exchangeOf(warp));
    const auto freed = [&](const Fiber* f) {
        return f->wait == WaitReason::warp && (m_freed[f->thread / kWarpSize] >> (f->thread % kWarpSize) & 1U);
    };
    std::ranges::copy_if(m_waiting, std::back_inserter(m_released), freed);
    std::erase_if(m_waiting, freed);
}

bool BlockRunner::releaseReady() {
    m_yielded = 0;
    if (m_conditions == 0) return false;
    const auto ready = [&](const Fiber* f) {
        if (f->wait != WaitReason::condition) return false;
        if (f->condition.holds == nullptr) {
            ++m_yielded;
            return true;
        }
        become(*f);
        return f->condition.holds(f->condition.closure);
    };
    const auto first = std::stable_partition(m_waiting.begin(), m_waiting.end(), [&](Fiber* f) { return !ready(f); });
    m_conditions -= static_cast<unsigned>(m_waiting.end() - first);
    m_released.insert(m_released.end(), first, m_waiting.end());
    m_waiting.erase(first, m_waiting.end());
    return !m_released.empty();
}

void BlockRunner::awaitOthers(RunningBlocks& blocks) {
    if (m_conditions == 0) reportStuck();
    switch (blocks.wait([this] { return releaseReady(); })) {
        case RunningBlocks::Outcome::ready: return;
        case RunningBlocks::Outcome::deadlock: reportStuck();
        case RunningBlocks::Outcome::stopped: cancel();
    }
}

void BlockRunner::letOthersRun() {
    constexpr unsigned kRoundsPerYield = 64;  // each may cost a time slice on a busy machine
    m_idleRounds = m_yielded == m_released.size() ? m_idleRounds + 1 : 0;
    if (m_idleRounds % kRoundsPerYield == kRoundsPerYield - 1) std::this_thread::yield();
}

void BlockRunner::cancel() {
    abandon();
    throw Error(Error::Kind::cancelled, "cpu: stopped");
}

void BlockRunner::run(RunningBlocks& blocks, dim3 grid, dim3 block, uint3 index, Thunk thread,
                      std::uint64_t shuffleSeed) {
    m_grid = grid;
    m_block = block;
    m_index = index;
    m_thread = thread;
    m_threads = block.x * block.y * block.z;
    m_started = m_done = m_idleRounds = 0;
    m_exchanges.resize((m_threads + kWarpSize - 1) / kWarpSize);
    m_returned.assign(m_threads, false);
    builtins.blockIdx = index;
    builtins.blockDim = {block.x, block.y, block.z};
    builtins.gridDim = {grid.x, grid.y, grid.z};
    order(shuffleSeed);

    startAll();
    while (!m_waiting.empty()) {
        if (blocks.stopped()) cancel();
        if (!releaseBarrier()) {
            releaseWarps();
            releaseReady();
            if (m_released.empty()) awaitOthers(blocks);
            if (m_yielded > 0) letOthersRun();
        }
        if (m_seed != 0) {
            std::mt19937_64 random(m_seed++);
            std::shuffle(m_released.begin(), m_released.end(), random);
        }
        // Taken out first: a resumed thread may wait again at once.
        m_resuming.swap(m_released);
        if (!m_resuming.empty()) resume(*m_resuming[m_next++]);
        m_resuming.clear();
        m_next = 0;
    }
}

void BlockRunner::order(std::uint64_t seed) {
    const bool same = seed == 0 && m_seed == 0 && m_order.size() == m_threads;
    m_seed = seed;
    if (same) return;
    m_order.resize(m_threads);
    std::iota(m_order.begin(), m_order.end(), 0U);
    if (seed != 0) {
        std::mt19937_64 random(seed);
        std::shuffle(m_order.begin(), m_order.end(), random);
    }
}

std::string BlockRunner::nameOfThread(unsigned thread) const {
    return "thread (" + std::to_string(thread % m_block.x) + ", " + std::to_string(thread / m_block.x % m_block.y) +
           ", " + std::to_string(thread / (m_block.x * m_block.y)) + ")";
}

void BlockRunner::reportStuck() {
    const std::string where = "block (" + std::to_string(m_index.x) + ", " + std::to_string(m_index.y) + ", " +
                              std::to_string(m_index.z) + "): ";
    const auto at = [&](WaitReason wait) {
        const auto found =
            std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Fiber* f) { return f->wait == wait; });
        return found == m_waiting.end() ? nullptr : *found;
    };
    if (const Fiber* unmet = at(WaitReason::condition)) reportUnmet(where, *unmet);
    const Fiber* barrier = at(WaitReason::barrier);
    const Fiber* warp = at(WaitReason::warp);
    std::string message;
    auto kind = Error::Kind::deadlock;
    if (barrier != nullptr && warp != nullptr) {
        message = "deadlock in " + where + nameOfThread(barrier->thread) + " waits at the barrier " +
                  placeOf(*barrier) + ", " + nameOfThread(warp->thread) + " for its warp at " + placeOf(*warp);
    } else if (barrier == nullptr && warp == nullptr) {
        message = "stopped in " + where + nameOfThread(m_waiting.front()->thread);
    } else if (warp != nullptr) {
        message = "deadlock in " + where + nameOfThread(warp->thread) + " waits for lanes of its warp at " +
                  placeOf(*warp) + " that never come";
    } else {
        kind = Error::Kind::divergentBarrier;
        const auto other = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Fiber* f) {
            return f->line != barrier->line || std::strcmp(f->file, barrier->file) != 0;
        });
        message =
            "divergent barrier in " + where + nameOfThread(barrier->thread) + " waits at " + placeOf(*barrier) + ", ";
        if (other != m_waiting.end()) {
            message += nameOfThread((*other)->thread) + " at " + placeOf(**other);
        } else {
            const auto gone = std::find(m_returned.begin(), m_returned.end(), true) - m_returned.begin();
            message += "but " + nameOfThread(static_cast<unsigned>(gone)) + " has returned";
        }
    }
    abandon();
    throw Error(kind, message + ": every thread must reach the same barrier");
}

void BlockRunner::reportUnmet(const std::string& where, const Fiber& fiber) {
    const std::string message = std::string("deadlock in ") + fiber.function + ", " + where +
                                nameOfThread(fiber.thread) + " waits at " + placeOf(fiber) +
                                " for a value that no running block will store, since all of them wait";
    abandon();
    throw Error(Error::Kind::deadlock,
                message + ": let a block wait only for those before it, in the order of a ticket that each takes");
}

void BlockRunner::abandon() {
    // Kernels own nothing, so their frames may simply be forgotten.
    for (std::size_t i = 0; i < m_fibers.size(); ++i) {
        Fiber& fiber = *m_fibers[i];
        if (fiber.wait == WaitReason::nothing) continue;
        fiber.stack.reset(m_memory->bottom(i), m_memory->bytes(i), &BlockRunner::fiberMain);
        fiber.wait = WaitReason::nothing;
        m_idle.push_back(&fiber);
    }
    m_waiting.clear();
    m_released.clear();
    m_conditions = 0;
}

const Exchange& BlockRunner::exchange(unsigned mask, std::uint64_t value, const float* matrix, const char* file,
                                      int line) {
    m_running->value = value;
    m_running->matrix = matrix;
    suspend(WaitReason::warp, mask, file, line);
    return m_exchanges[m_running->thread / kWarpSize];
}

void barrier(const char* file, int line) { BlockRunner::current().suspend(WaitReason::barrier, 0, file, line); }

void warpBarrier(unsigned mask, const char* file, int line) { warpExchange(mask, 0, file, line); }

const Exchange& warpExchange(unsigned mask, std::uint64_t value, const char* file, int line) {
    return BlockRunner::current().exchange(mask, value, nullptr, file, line);
}

const Exchange& warpExchange(unsigned mask, const float (&matrix)[kMatrixValues], const char* file, int line) {
    return BlockRunner::current().exchange(mask, 0, matrix, file, line);
}

void waitUntil(Condition condition, const char* function, const char* file, int line) {
    BlockRunner::current().suspendUntil(condition, function, file, line);
}

void yield() { BlockRunner::current().suspendUntil({nullptr, nullptr}, "", "", 0); }

}  // namespace warplens::gpu::simt
