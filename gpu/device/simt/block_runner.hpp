// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/builtins.hpp"
#include "gpu/device/simt/context_switch.hpp"
#include "gpu/device/simt/engine.hpp"
#include "gpu/device/simt/running_blocks.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::simt {

/// What a suspended thread waits for.
enum class WaitReason { nothing, barrier, warp, condition, forever };

/// One stack and the thread that runs or waits on it.
struct Fiber {
    Stack stack;
    unsigned thread = 0;
    uint3 index;  ///< threadIdx
    WaitReason wait = WaitReason::nothing;
    unsigned mask = 0;
    std::uint64_t value = 0;
    const float* matrix = nullptr;  ///< kMatrixValues that are exchanged instead of the value
    Condition condition{};          ///< one without a question holds at once
    const char* function = "";
    const char* file = "";
    int line = 0;
};

/// Told of what the threads of a block do, on the OS thread that runs them. The trace watches; nobody else does.
class ThreadObserver {
public:
    virtual ~ThreadObserver() = default;
    virtual void threadStarted(unsigned thread) = 0;
    virtual void threadEnded(unsigned thread) = 0;
    virtual void threadBlocked(unsigned thread, WaitReason wait) = 0;
    virtual void threadResumed(unsigned thread) = 0;
};

/// Runs one block after the other on the OS thread that owns it. Fibers stay from block to block; a thread that meets
/// no barrier costs no switch, since the next one starts on the same stack.
class BlockRunner {
public:
    BlockRunner();
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    /// The runner of this OS thread.
    static BlockRunner& current();

    /// Runs the block to its end, as one of the launch's `blocks`. Throws Error(divergentBarrier), Error(deadlock), or
    /// Error(cancelled) when it was stopped while its threads waited; the runner can be used again.
    void run(RunningBlocks& blocks, dim3 grid, dim3 block, uint3 index, Thunk thread, std::uint64_t shuffleSeed);

    /// Null, or who is told from the next block on.
    void setObserver(ThreadObserver* observer) { m_observer = observer; }
    /// While an observer is told of a thread that is blocked: that thread.
    const Fiber& running() const { return *m_running; }

    /// Called from a kernel: suspends the running thread, for good when it waits forever.
    void suspend(WaitReason wait, unsigned mask, const char* file, int line);
    void suspendUntil(Condition condition, const char* function, const char* file, int line);
    /// Called from a kernel: waits for the lanes of `mask` and returns what they gave.
    const Exchange& exchange(unsigned mask, std::uint64_t value, const float* matrix, const char* file, int line);

private:
    static void fiberMain(boost::context::detail::transfer_t transfer);
    Fiber& idleFiber();
    void resume(Fiber& fiber);
    void leave(Fiber& self);
    void startAll();
    bool releaseBarrier();
    void releaseWarps();
    unsigned exchangeOf(unsigned warp);
    bool releaseReady();
    void awaitOthers(RunningBlocks& blocks);
    void letOthersRun();
    [[noreturn]] void cancel();
    [[noreturn]] void reportStuck();
    [[noreturn]] void reportUnmet(const std::string& where, const Fiber& fiber);
    void abandon();
    std::string nameOfThread(unsigned thread) const;
    uint3 indexOf(unsigned thread) const;
    static void become(const Fiber& fiber);
    void order(std::uint64_t seed);

    class StackMemory;
    std::unique_ptr<StackMemory> m_memory;
    Stack m_scheduler;
    std::vector<std::unique_ptr<Fiber>> m_fibers;
    std::vector<Fiber*> m_idle;
    std::vector<Fiber*> m_waiting;  ///< suspended threads, in the order in which they will be resumed
    std::vector<Fiber*> m_released, m_resuming;
    std::size_t m_next = 0;             ///< of those to resume
    std::vector<Exchange> m_exchanges;  ///< one per warp
    std::vector<Fiber*> m_lanes;        ///< of all warps, those that wait for lanes of theirs
    std::vector<unsigned> m_freed;      ///< lanes of each warp
    std::vector<unsigned> m_order;
    std::vector<bool> m_returned;
    Fiber* m_running = nullptr;
    ThreadObserver* m_observer = nullptr;
    Thunk m_thread{};
    dim3 m_block, m_grid;
    uint3 m_index;
    unsigned m_threads = 0, m_started = 0, m_done = 0;
    unsigned m_conditions = 0;  ///< of the waiting, those that wait for one
    unsigned m_yielded = 0;     ///< of those released now, threads that only yielded
    unsigned m_idleRounds = 0;  ///< in which all did
    std::uint64_t m_seed = 0;
};

}  // namespace warplens::gpu::simt
