// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// One variant of a playback.
struct Player {
    std::string variant;         ///< the id it was asked by
    std::string refusal;         ///< why it does not take part, or empty
    double msPerStep = 0;        ///< of the last advance, measured by the device's clock; 0 before the first
    double gcellsPerSecond = 0;  ///< cells of all channels over that time
};

/// Where a playback is.
struct PlaybackState {
    std::int64_t step = 0;
    double change = 0;  ///< largest change of a cell in the last step; NaN before the first
    std::vector<Player> players;
    std::string plan;  ///< how the fields go over the device slab by slab; empty: they lie there as a whole
};

/// Variants of an iteration, advanced in lockstep and kept between two calls: on a device, or, where it does not hold
/// them all, on the host. Not thread-safe; every member throws Error.
class Playback {
public:
    virtual ~Playback() = default;

    /// Takes every variant `steps` >= 1 steps further. Stopping throws Error(cancelled) and leaves the state as it was,
    /// though some variants may be ahead of it; the next advance() takes all of them to one step, beyond the foremost.
    virtual const PlaybackState& advance(std::int64_t steps, std::stop_token stop = {}) = 0;
    /// Whether every variant is at the state's step: false after advance() was stopped.
    virtual bool even() const = 0;
    /// Back to step 0.
    virtual const PlaybackState& restart() = 0;
    virtual const PlaybackState& state() const = 0;
    /// The fields of one variant as they are now; ahead of the state's step where even() is false.
    virtual std::shared_ptr<const io::Grid> frame(const std::string& variant) = 0;
    /// The fields of one variant against the double reference of as many steps.
    virtual Verification verify(const std::string& variant, std::stop_token stop = {}) = 0;
};

}  // namespace warplens::gpu
