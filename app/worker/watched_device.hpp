// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace warplens::worker {

/// The CPU device as a session sees it whose kernel is of the user's: each buffer is told to the checks. Where launches
/// of the user's are counted by another device, its memory is that one's, and all other launches are on the CPU device.
/// Both outlive it, and it every buffer.
class WatchedDevice final : public gpu::Device {
public:
    WatchedDevice(gpu::Device& memory, gpu::Device& launches)
        : m_memory(memory), m_launches(launches), m_free(memory.freeBytes()) {}

    const gpu::DeviceInfo& info() const override { return m_memory.info(); }
    std::int64_t freeBytes() const override { return m_free; }
    gpu::Buffer allocate(std::size_t bytes) override;
    void upload(const gpu::Buffer& to, const void* from, std::size_t bytes) override;
    void download(void* to, const gpu::Buffer& from, std::size_t bytes) override;
    void fill(const gpu::Buffer& buffer, int byte) override;
    void synchronize() override {}
    gpu::LaunchContext& context() override { return m_launches.context(); }
    double time(const std::function<void()>& work) override { return m_launches.time(work); }
    gpu::LaunchFacts takeLaunchFacts() override { return m_memory.takeLaunchFacts(); }
    void setStop(std::stop_token stop) override { m_launches.setStop(std::move(stop)); }
    void setScheduling(const gpu::Scheduling& scheduling) override { m_launches.setScheduling(scheduling); }
    std::optional<gpu::Limits> limits() override { return std::nullopt; }
    std::optional<gpu::ClockState> clocks() override { return std::nullopt; }

private:
    void release(std::uint64_t handle) noexcept override;

    gpu::Device &m_memory, &m_launches;
    std::int64_t m_free;
    std::map<std::uint64_t, gpu::Buffer> m_buffers;  ///< by handle
};

}  // namespace warplens::worker
