// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/convolution/bound.hpp"
#include "gpu/families/convolution/reference.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace warplens::gpu::convolution {

/// Compares results with the double reference, which is computed once. Large pictures are checked on sampled tiles,
/// every corner and edge included. Thread-safe.
class Verifier {
public:
    Verifier(std::shared_ptr<const io::Grid> input, Filter filter, Border border, double offset, int filteredChannels);

    Verification verify(const io::Grid& output, std::stop_token stop, const Bound& bound = {}) const;

private:
    /// Whether the reference goes by the filter's factors: its weights one by one would take too long.
    bool byFactors() const { return !m_filter.isBox(); }
    /// Taps that an exact value in a tile costs, and those whose rounding an output may show.
    double tapsOf(std::int64_t width, std::int64_t height) const;
    double roundedTaps() const;
    std::vector<Exact> exactOf(const Tile& tile) const;
    void compute(std::stop_token stop) const;

    std::shared_ptr<const io::Grid> m_input;
    Filter m_filter;
    Border m_border;
    double m_offset;
    int m_channels;  ///< filtered ones; an alpha channel that is kept must come out as it went in
    std::vector<Tile> m_tiles;
    mutable std::mutex m_mutex;
    mutable std::vector<std::vector<Exact>> m_exact;  ///< a tile: y, x, channel
};

}  // namespace warplens::gpu::convolution
