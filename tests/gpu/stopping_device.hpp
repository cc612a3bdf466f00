// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <map>
#include <stop_token>

namespace warplens::gpu::testing {

/// The CPU device, which asks to stop after so many uploads; or is full at so many bytes, of which no limit tells.
class StoppingDevice : public Device {
public:
    StoppingDevice(std::stop_source& stop, int uploads, std::int64_t capacity = 0)
        : m_inner(openDevice("cpu")), m_stop(stop), m_last(uploads) {
        m_inner->setMemoryLimit(capacity);
        m_inner->setStop(stop.get_token());
    }
    int uploads() const { return m_uploads; }

    const DeviceInfo& info() const override { return m_inner->info(); }
    std::int64_t freeBytes() const override { return m_inner->freeBytes(); }
    Buffer allocate(std::size_t bytes) override {
        Buffer inner = m_inner->allocate(bytes);
        const auto handle = inner.handle();
        m_buffers.emplace(handle, std::move(inner));
        return {*this, handle, bytes};
    }
    void upload(const Buffer& to, const void* from, std::size_t bytes) override {
        m_inner->upload(to, from, bytes);
        if (++m_uploads == m_last) m_stop.request_stop();
    }
    void download(void* to, const Buffer& from, std::size_t bytes) override { m_inner->download(to, from, bytes); }
    void fill(const Buffer& buffer, int byte) override { m_inner->fill(buffer, byte); }
    void synchronize() override { m_inner->synchronize(); }
    LaunchContext& context() override { return m_inner->context(); }
    double time(const std::function<void()>& work) override { return m_inner->time(work); }
    LaunchFacts takeLaunchFacts() override { return m_inner->takeLaunchFacts(); }
    void setStop(std::stop_token stop) override { m_inner->setStop(std::move(stop)); }
    void setScheduling(const Scheduling& scheduling) override { m_inner->setScheduling(scheduling); }
    std::optional<Limits> limits() override { return m_inner->limits(); }
    std::optional<ClockState> clocks() override { return m_inner->clocks(); }

private:
    void release(std::uint64_t handle) noexcept override { m_buffers.erase(handle); }

    std::unique_ptr<Device> m_inner;
    std::map<std::uint64_t, Buffer> m_buffers;
    std::stop_source& m_stop;
    int m_last, m_uploads = 0;
};

}  // namespace warplens::gpu::testing
