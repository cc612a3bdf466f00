// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/stepper.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::stencil {

/// One variant of a playback.
struct Player {
    std::string variant;
    std::string refusal;         ///< why it does not take part, or empty
    double msPerStep = 0;        ///< of the last advance, measured by the device's clock; 0 before the first
    double gcellsPerSecond = 0;  ///< cells of all channels over that time
};

/// Where a playback is.
struct PlaybackState {
    std::int64_t step = 0;
    double change = 0;  ///< largest change of a cell in the last step; NaN before the first
    std::vector<Player> players;
};

/// All chosen variants of one stencil iteration, advanced in lockstep and kept on a device between two calls. It opens
/// the device for itself, so that it outlives what a comparison does to its own. Not thread-safe; every member throws
/// Error.
class Playback {
public:
    /// Uploads the input and gives every variant its own fields. A variant that cannot run is kept with its refusal;
    /// when none can, Error(unsupported) says why.
    Playback(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
             const std::vector<std::string>& variants, const TunableValues& tunables, const std::string& device);
    ~Playback();

    /// Takes every variant `steps` >= 1 steps further. Stopping throws Error(cancelled) and leaves the state as it was,
    /// though some variants may be ahead of it; the next advance() takes all of them to one step, beyond the foremost.
    const PlaybackState& advance(std::int64_t steps, std::stop_token stop = {});
    /// Whether every variant is at the state's step: false after advance() was stopped.
    bool even() const;
    /// Back to step 0.
    const PlaybackState& restart();
    const PlaybackState& state() const {
        return m_state;
    }

    /// The fields of one variant as they are now; ahead of the state's step where even() is false.
    std::shared_ptr<const io::Grid> frame(const std::string& variant);
    /// The fields of one variant against the double reference of as many steps.
    Verification verify(const std::string& variant, std::stop_token stop = {});
    /// Steps that were asked for, residuals and tolerance.
    const Schedule& schedule() const {
        return m_problem->schedule();
    }
    const DeviceInfo& device() const {
        return m_device->info();
    }

private:
    struct Lane;
    Lane& laneOf(const std::string& variant);

    std::unique_ptr<StencilProblem> m_problem;
    std::unique_ptr<Device> m_device;
    Resident m_resident;
    std::vector<std::unique_ptr<Lane>> m_lanes;  ///< those that take part
    std::size_t m_leader = 0;  ///< whose change is looked at: one that takes single steps if there is any
    PlaybackState m_state;
};

}  // namespace warplens::gpu::stencil
