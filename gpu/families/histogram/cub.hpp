// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace warplens::gpu::library {

/// How its definition differs, for the record.
std::string cubNote();
/// Why CUB cannot count so many values a channel, or empty.
std::string cubRefusal(std::int64_t values);

/// cub::DeviceHistogram over planes that lie on a CUDA device one behind the other. It is given the same table of edges
/// as our kernels (HistogramRange), with one more at each infinity for what lies beside them; where an integer type's
/// whole range is divided evenly, it divides by itself (HistogramEven), which is exact there and its faster way.
class CubHistogram {
public:
    CubHistogram(Device& device, const histogram::Edges& edges, io::PixelType type, std::uint64_t planes,
                 std::int64_t values, int channels);
    ~CubHistogram();

    /// Counts all channels, one call each, on the device's stream.
    void launch();
    void poison();
    /// Fills in bins, below, above and nan.
    void download(BinnedCounts& result);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warplens::gpu::library
