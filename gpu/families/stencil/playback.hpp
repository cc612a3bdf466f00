// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/playback.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/stencil/problem.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::stencil {

/// All chosen variants of one stencil iteration. It opens the device for itself, so that it outlives what a comparison
/// does to its own.
class Playback final : public gpu::Playback {
public:
    /// Gives every variant its own fields: on the device, or on the host where `memoryCap` bytes (0: what is free
    /// there) do not hold those of all, which then go over it slab by slab. A variant that cannot run is kept with its
    /// refusal; when none can, Error(unsupported) says why. Error(outOfMemory) where not even one slice fits.
    Playback(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
             const std::vector<std::string>& variants, const TunableValues& tunables, const std::string& device,
             std::int64_t memoryCap = 0);
    ~Playback() override;

    const PlaybackState& advance(std::int64_t steps, std::stop_token stop = {}) override;
    bool even() const override;
    const PlaybackState& restart() override;
    const PlaybackState& state() const override { return m_state; }
    std::shared_ptr<const io::Grid> frame(const std::string& variant) override;
    Verification verify(const std::string& variant, std::stop_token stop = {}) override;
    /// Steps that were asked for, residuals and tolerance.
    const Schedule& schedule() const { return m_problem->schedule(); }
    const DeviceInfo& device() const { return m_device->info(); }

private:
    struct TimedVariant;
    class Fields;
    class OnDevice;
    class OnHost;
    /// Where the slabs' sweeps go: one room for all variants.
    struct Slabs;
    TimedVariant& entrantOf(const std::string& variant);
    /// Gives every entrant its fields.
    void place();

    std::unique_ptr<StencilProblem> m_problem;
    std::unique_ptr<Device> m_device;
    Resident m_resident;
    std::unique_ptr<Slabs> m_slabs;                         ///< null: all fields lie on the device
    std::vector<std::unique_ptr<TimedVariant>> m_entrants;  ///< those that take part
    std::size_t m_leader = 0;  ///< whose change is looked at: one that takes single steps if there is any
    PlaybackState m_state;
};

}  // namespace warplens::gpu::stencil
