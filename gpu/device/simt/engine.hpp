// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/simt/builtins.hpp"

#include <cstddef>
#include <memory>
#include <stop_token>

namespace warplens::gpu::simt {

/// A kernel bound to its arguments.
struct Thunk {
    void (*call)(const void* closure);
    const void* closure;
};

/// Throws Error(argument) for a launch that no GPU takes.
void checkLaunch(dim3 grid, dim3 block, std::size_t sharedBytes);

/// Runs grids with CUDA's semantics: the threads of a block are fibers on one OS thread, blocks spread over OS threads.
/// Reports divergent barriers and deadlocks with block, thread and source line. One launch at a time.
class Engine {
public:
    Engine();
    ~Engine();
    /// Returns when every block is done. Throws Error(argument) for an impossible launch, Error(divergentBarrier),
    /// Error(deadlock), or Error(cancelled) once `stop` is asked for; checked between blocks and while a block waits
    /// for another. Blocks begin in order; as many are resident as there are workers.
    void run(dim3 grid, dim3 block, std::size_t sharedBytes, Thunk thread);

    /// Writes a __constant__ array for the launches that follow.
    void setConstant(void* array, const void* values, std::size_t bytes);

    void setStop(std::stop_token stop) { m_stop = std::move(stop); }
    void setScheduling(const Scheduling& scheduling);
    int workers() const;

private:
    struct Arena;
    std::unique_ptr<Arena> m_arena;
    std::stop_token m_stop;
    Scheduling m_scheduling;
};

}  // namespace warplens::gpu::simt
