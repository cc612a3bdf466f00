// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/check.hpp"
#include "app/worker/run.hpp"
#include "gpu/core/family.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace warplens::worker {

/// The kernel of a job on a device, with what it was given. All three outlive it.
class KernelSession final : public gpu::Session {
public:
    using Grid = std::array<unsigned, 3>;
    using Launch = std::function<void(const Grid&, void** arguments)>;

    KernelSession(const Job& job, const Planes& planes, gpu::Device& device);
    const gpu::Buffer& input() const { return m_input; }
    void setLaunch(Launch launch) { m_launch = std::move(launch); }
    /// Called before each launch of a row of launches.
    void setBefore(std::function<void()> before) { m_before = std::move(before); }
    /// Whether what a launch made is compared with what it began with: where it lies in our own memory.
    void setLookIdle(bool looks) { m_lookIdle = looks; }
    /// Whether the device's input is no longer what was given: not every device sees a write to it.
    bool inputChanged();
    const void* changed() const { return m_changed ? addressAt(m_changed) : nullptr; }
    /// What the next launch is given.
    std::vector<Range> ranges() const;

    void prepare(const gpu::Variant&, const gpu::TunableValues&) override {}
    /// Throws Error(fault) for launches that do not end.
    void launch() override;
    void poisonOutput() override;
    gpu::Result download(double& layoutMs, double& downloadMs) override;

private:
    using Kind = gpu::user::Slot::Kind;

    bool has(Kind kind) const { return m_job.binding.has(kind); }
    void* addressAt(const gpu::Buffer& buffer) const { return m_device.context().address(buffer.handle()); }
    void prepareToRepeat();
    std::size_t listPlaces() const;
    const gpu::Buffer* bufferOf(std::size_t slot) const;
    std::uint64_t valueOf(std::size_t slot, int plane) const;
    void launchPlanes();
    void launchUntilQuiet();
    void goOn(std::int32_t changed);

    const Job& m_job;
    const Planes& m_planes;
    gpu::Device& m_device;
    gpu::Buffer m_input, m_changed;
    std::array<gpu::Buffer, 2> m_outputs, m_lists;  ///< two outputs where a launch is given the one before
    std::vector<gpu::Buffer> m_words;
    std::vector<std::byte> m_start;
    std::size_t m_written = 0;  ///< output of the last or next launch
    unsigned m_step = 1, m_listed = 0;
    bool m_lookIdle = false;
    Launch m_launch;
    std::function<void()> m_before;
};

}  // namespace warplens::worker
