// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/trace/sampling.hpp"
#include "gpu/trace/trace_context.hpp"

#include <functional>
#include <memory>

namespace warplens::gpu::trace {

/// The SIMT device with traced kernels. To sessions and launchers it is the CPU device; only the traced build of the
/// kernels runs on it.
class TraceDevice final : public Device {
public:
    TraceDevice();

    /// Runs `work` and counts what its kernels do. `input` is the buffer whose reuse is told; it may be empty. Throws
    /// what `work` throws, and Error(cancelled).
    Counters trace(const std::function<void()>& work, const Buffer& input, const SamplePolicy& policy,
                   std::function<void(double)> progress = {});
    /// Runs `work`, of its kernels only the blocks that `probe` asks for. Throws as trace().
    void probe(const std::function<void()>& work, BlockProbe& probe);
    /// Loads of each value of a buffer in the last trace(), values of `valueBytes` in order; empty when there was none.
    std::vector<std::uint32_t> loads(const Buffer& buffer, std::size_t valueBytes) const;
    /// The same of the buffer of `values` values, 4 bytes each, that was read most; empty when there is none.
    std::vector<std::uint32_t> mostLoads(std::int64_t values) const;

    const DeviceInfo& info() const override { return m_info; }
    std::int64_t freeBytes() const override;
    Buffer allocate(std::size_t bytes) override;
    void upload(const Buffer& to, const void* from, std::size_t bytes) override;
    void download(void* to, const Buffer& from, std::size_t bytes) override;
    void fill(const Buffer& buffer, int byte) override;
    void synchronize() override {}
    LaunchContext& context() override { return m_context; }
    double time(const std::function<void()>& work) override;
    LaunchFacts takeLaunchFacts() override { return m_context.takeLaunchFacts(); }
    void setStop(std::stop_token stop) override { m_context.setStop(std::move(stop)); }
    void setScheduling(const Scheduling& scheduling) override { m_context.setScheduling(scheduling); }
    std::optional<Limits> limits() override { return std::nullopt; }
    std::optional<ClockState> clocks() override { return std::nullopt; }

private:
    void release(std::uint64_t handle) noexcept override { m_context.release(handle); }

    DeviceInfo m_info;
    TraceContext m_context;
};

/// Makes a record wrong whose counters have a finding.
void judge(RunRecord& record);

}  // namespace warplens::gpu::trace
