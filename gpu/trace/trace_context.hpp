// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/simt/engine.hpp"
#include "gpu/trace/sampling.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gpu::trace {

class Findings;
class Allocation;
class BlockProbe;
struct KernelRun;

/// Where traced kernels are launched: they merely run, or, between beginRun() and endRun(), a sample of their blocks is
/// recorded and the rest is not run.
class TraceContext final : public LaunchContext {
public:
    TraceContext();
    ~TraceContext() override;
    void* address(std::uint64_t handle) const override { return reinterpret_cast<void*>(handle); }

    /// Runs or records one launch. Throws as simt::Engine::run().
    void run(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes, simt::Thunk thread);

    Allocation& allocate(std::size_t bytes);
    void release(std::uint64_t handle) noexcept;
    const Allocation* allocationAt(std::uint64_t handle) const;
    std::vector<const Allocation*> allocations() const;

    /// `progress` is told 0..1 of each recorded launch, one call at a time.
    void beginRun(const SamplePolicy& policy, std::function<void(double)> progress);
    std::vector<KernelRun> endRun();
    /// Until it is null again, recorded launches run the blocks that `probe` asks for and count nothing.
    void setProbe(BlockProbe* probe) { m_probe = probe; }
    Findings& findings();

    void setStop(std::stop_token stop);
    void setScheduling(const Scheduling& scheduling);
    LaunchFacts takeLaunchFacts();

private:
    struct Recording;
    void record(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes, simt::Thunk thread);

    simt::Engine m_engine;
    std::unique_ptr<Recording> m_recording;
    BlockProbe* m_probe = nullptr;
    std::stop_token m_stop;
    LaunchFacts m_facts;
};

}  // namespace warplens::gpu::trace
