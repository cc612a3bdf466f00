// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"
#include "gpu/device/simt/block_runner.hpp"
#include "gpu/trace/findings.hpp"
#include "gpu/trace/global_memory.hpp"
#include "gpu/trace/happens_before.hpp"
#include "gpu/trace/lane_log.hpp"
#include "gpu/trace/shared_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace warplens::gpu::trace {

/// One launch as its recorders see it.
struct LaunchView {
    const void* kernel = nullptr;
    dim3 grid, block;
    std::size_t sharedBytes = 0;
    std::uint32_t firstBlock = 1;  ///< number of the launch's first block; blocks are numbered through all launches
    const SharedArrays* arrays = nullptr;
    std::vector<bool> visibleArrays;
    std::vector<Allocation*> allocations;  ///< by address
    Findings* findings = nullptr;
    mutable HappensBefore publications;

    std::uint32_t numberOf(uint3 index) const { return firstBlock + (index.z * grid.y + index.y) * grid.x + index.x; }
    uint3 indexOf(std::uint32_t number) const;
};

/// That a thread came to a barrier.
struct BarrierEvent {
    unsigned thread = 0;
    std::size_t words = 0;  ///< of its log before
    std::uint32_t pc = 0;   ///< the basic block it is in
    const char* file = "";  ///< where the barrier is called, and its line
    int line = 0;
};

/// The words of 4 bytes that a store or an atomic left behind, or by how much the atomic changed them.
using StoredValue = std::array<std::uint32_t, 4>;

/// Writes down what the threads of one block do, one log a thread, and checks each access as it comes. One an OS
/// thread; the compiler's hooks reach it through `active`.
class Recorder final : public simt::ThreadObserver {
public:
    static thread_local constinit Recorder* active;

    explicit Recorder(const SharedArrays& arrays);

    void beginLaunch(const LaunchView& launch);
    /// From here to endBlock() hooks on this OS thread record. Pilots leave global memory's shadow alone, and what
    /// their atomics changed as it was: a ticket is not drawn twice.
    void beginBlock(uint3 index, bool pilot);
    void endBlock();

    void threadStarted(unsigned thread) override;
    void threadEnded(unsigned thread) override;
    void threadBlocked(unsigned thread, simt::WaitReason wait) override;
    void threadResumed(unsigned thread) override;

    // Called by hooks, where a log is written.
    void enterBasicBlock(std::uint32_t pc);
    void access(const volatile void* address, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing);
    /// A load through a texture.
    void fetch(const volatile void* address, unsigned size, std::uint32_t pc);
    /// An atomic or an acquiring load of this word is done.
    void acquired(const volatile void* address);
    void fence() { ++m_fences; }
    void matrixOperations(int count) { m_matrixOperations += count; }
    void atomicOperation() { ++m_atomicOperations; }
    void pause() { ++m_paused; }
    void unpause() { --m_paused; }

    /// From the next block on what its stores leave behind is kept, and where it met barriers.
    void keepEvents(bool keep) { m_keeping = keep; }
    /// Of each thread's stores and atomics, those in global and in shared memory, in the order of its log.
    const std::vector<std::vector<StoredValue>>& values() const { return m_values; }
    const std::vector<BarrierEvent>& barrierEvents() const { return m_barrierEvents; }
    /// Whether this block did what another may wait for, or learn from: an atomic in global memory or the like.
    bool meetsOtherBlocks() const { return m_meets; }

    const std::vector<LaneLog>& logs() const { return m_logs; }
    const EdgeSet& edges() const { return m_edges; }
    /// Whether an access that would have done harm ended a thread of this block.
    bool stoppedAThread() const { return m_stopped; }
    std::uint64_t words() const;
    /// Threads that began so far: one that stands still runs one thread for ever.
    std::uint64_t steps() const { return m_steps; }
    std::int64_t barriers() const;
    std::int64_t matrixOperations() const { return m_matrixOperations; }
    /// Floating-point operations that atomics did.
    std::int64_t atomicOperations() const { return m_atomicOperations; }
    /// Annotated accesses that met one of another block.
    std::int64_t annotatedRaces() const { return m_annotatedRaces; }
    /// Most atomics of this block on one address.
    std::int64_t contention() const;

private:
    void check(std::uint64_t address, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing);
    /// `place` is where it lies on this machine.
    void log(const LoggedAccess& access, std::uint64_t place);
    /// What the store before the last hook left behind.
    void takeValue();
    void shared(std::uint64_t offset, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing);
    void global(std::uint64_t address, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing,
                Space space = Space::global);
    void findRace(std::uint64_t address, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing);
    bool constant(std::uint64_t address, unsigned size, std::uint32_t pc);
    void outOfBounds(const char* what, Operation operation, unsigned size, std::uint32_t pc, bool harmless);
    Finding found(Finding::Check check, std::uint32_t pc) const;
    uint3 threadOf(unsigned thread) const;

    struct Lane {
        ThreadClock clock;
        int paused = 0;
        std::uint32_t last = 0;  ///< the basic block it is or ended in
    };
    const LaunchView* m_launch = nullptr;
    std::uint64_t m_tlsBegin = 0, m_tlsBytes;
    SharedShadow m_shadow;
    std::vector<LaneLog> m_logs;
    std::vector<Lane> m_lanes;
    EdgeSet m_edges;
    std::unordered_map<std::uint64_t, std::int64_t> m_atomics;
    std::int64_t m_matrixOperations = 0, m_atomicOperations = 0, m_annotatedRaces = 0;
    std::map<std::uint32_t, Finding> m_unwritten;  ///< reads of what this block has not written, by where they are
    std::set<std::uint32_t> m_racedReads;          ///< where this block read what another thread then wrote
    struct Changed {
        std::uint64_t address, value;
        unsigned size;
    };
    struct Awaited {
        std::uint64_t place = 0;  ///< 0: none
        unsigned size = 0, thread = 0;
        bool atomic = false;
        StoredValue before{};
    };
    bool m_keeping = false, m_meets = false;
    Awaited m_awaited;
    std::vector<std::vector<StoredValue>> m_values;
    std::vector<BarrierEvent> m_barrierEvents;
    std::vector<Changed> m_changed;  ///< by a pilot's atomics, before them
    const Allocation* m_lastAllocation = nullptr;
    std::uint64_t m_constantBegin = 0, m_constantEnd = 0;
    LaneLog* m_log = nullptr;
    /// Not 0: hooks are not to be recorded. Between threads, in an intrinsic, and in here: functions of the standard
    /// library that traced and other code share may call hooks as well.
    int m_paused = 1;
    unsigned m_thread = 0;
    std::uint32_t m_last = 0;  ///< the basic block this thread is in
    uint3 m_index;
    std::uint32_t m_block = 0;
    std::uint32_t m_run = 0;  ///< blocks run: the pilot comes twice, and shares no memory with itself
    bool m_pilot = false, m_stopped = false;
    std::uint64_t m_steps = 0;
    std::uint32_t m_fences = 0;  ///< of this block; a releasing store is one as well
};

}  // namespace warplens::gpu::trace
