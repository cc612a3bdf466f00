// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/histogram/contention.hpp"
#include "gpu/families/histogram/problem.hpp"

#include <stop_token>

namespace warplens::gpu::histogram {

/// Contention over the picture.
struct ContentionMap {
    Contention counted;
    /// f32, one channel, of the picture's extents: each pixel has the lanes that meet in its cell of 32 values, 0 where
    /// none adds; NaN where nothing is selected.
    io::Grid map;
};

/// Each value's slot: bin k is k, then below, above and NaN.
std::vector<std::uint32_t> slotsOf(const io::Grid& values, int channel, const Edges& edges);

/// For a kernel row with these tunables (all of them, see resolve()) on this device; `channel` is one of the problem's
/// channelNames(). `picture` is what the problem was posed with. Throws Error(argument) for a library row,
/// Error(cancelled).
ContentionMap contentionMap(const HistogramProblem& problem, const io::Grid& picture, const Variant& variant,
                            const TunableValues& tunables, const DeviceInfo& device, int channel,
                            const std::stop_token& stop = {});

}  // namespace warplens::gpu::histogram
