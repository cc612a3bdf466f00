// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/playback.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/stepper.hpp"

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
    /// Uploads the input and gives every variant its own fields. A variant that cannot run is kept with its refusal;
    /// when none can, Error(unsupported) says why.
    Playback(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
             const std::vector<std::string>& variants, const TunableValues& tunables, const std::string& device);
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
    struct Entrant;
    Entrant& entrantOf(const std::string& variant);

    std::unique_ptr<StencilProblem> m_problem;
    std::unique_ptr<Device> m_device;
    Resident m_resident;
    std::vector<std::unique_ptr<Entrant>> m_entrants;  ///< those that take part
    std::size_t m_leader = 0;  ///< whose change is looked at: one that takes single steps if there is any
    PlaybackState m_state;
};

}  // namespace warplens::gpu::stencil
