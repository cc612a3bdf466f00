// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/verify.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tbb/parallel_for.h>

namespace warplens::gpu::convolution {
namespace {

// Tap evaluations that the reference may cost: under a second on two cores.
constexpr double kBudget = 1.5e8;
constexpr std::int64_t kTileSide = 48;
// An exact value costs memory as well as taps: 16 bytes against the picture's 1 to 4.
constexpr double kLeastTaps = 25;
// Keeps inner tiles off multiples of a kernel's own tile.
constexpr std::int64_t kTileShift = 7;

std::vector<std::int64_t> startsAlong(std::int64_t n, std::int64_t tiles) {
    const auto last = std::max<std::int64_t>(0, n - kTileSide);
    std::vector<std::int64_t> starts;
    // Spread evenly, ends included, so far apart that no two overlap.
    tiles = std::clamp<std::int64_t>(tiles, 2, std::max<std::int64_t>(2, last / (kTileSide + kTileShift) + 1));
    for (std::int64_t i = 0; i < tiles; ++i) {
        const auto at = last * i / (tiles - 1);
        starts.push_back(i == 0 || i == tiles - 1 ? at : std::min(last, at + kTileShift));
    }
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    return starts;
}

/// The slices that a large volume is checked on: ends and middle; a filter that reaches across slices meets a border in
/// several of them, of which `most` at each end are looked at, and seams anywhere.
std::vector<std::int64_t> slicesOf(std::int64_t depth, int filterDepth, std::int64_t most) {
    std::set<std::int64_t> slices;
    const std::int64_t radius = filterDepth / 2, evenly = radius > 0 ? 5 : 2, step = (radius + most - 1) / most;
    for (std::int64_t k = 0; k <= evenly; ++k) slices.insert((depth - 1) * k / evenly);
    for (std::int64_t k = 0; k < std::min(radius, depth); k += step) slices.insert({k, depth - 1 - k});
    return {slices.begin(), slices.end()};
}

}  // namespace

Verifier::Verifier(std::shared_ptr<const io::Grid> input, Filter filter, Border border, double offset,
                   int filteredChannels)
    : m_input(std::move(input)),
      m_filter(std::move(filter)),
      m_border(border),
      m_offset(offset),
      m_channels(filteredChannels) {
    const auto& s = m_input->shape();
    // Whole rows, so that work spreads over threads; by factors more of them at a time, as their halo costs.
    const std::int64_t stripe = byFactors() ? s.height : 16;
    const double cost = static_cast<double>(s.values()) * tapsOf(s.width, stripe);
    if (cost <= kBudget) {
        for (std::int64_t z = 0; z < s.depth; ++z) {
            for (std::int64_t y = 0; y < s.height; y += stripe)
                m_tiles.push_back({0, y, z, s.width, std::min<std::int64_t>(stripe, s.height - y)});
        }
        return;
    }
    const double tileCost = static_cast<double>(kTileSide * kTileSide * s.channels) * tapsOf(kTileSide, kTileSide);
    const auto slices = slicesOf(s.depth, m_filter.depth, byFactors() ? 2 : kMaxBoxSide);
    const auto perSlice = std::max(4.0, kBudget / tileCost / static_cast<double>(slices.size()));
    const auto along = static_cast<std::int64_t>(std::sqrt(perSlice));
    const auto columns = startsAlong(s.width, along), rows = startsAlong(s.height, along);
    // A side of less than two tiles has two starts that overlap: the first tile ends where the second begins.
    const auto extentAt = [](const std::vector<std::int64_t>& starts, std::int64_t n, std::int64_t at) {
        const auto next = std::upper_bound(starts.begin(), starts.end(), at);
        return std::min(kTileSide, (next == starts.end() ? n : *next) - at);
    };
    for (const auto z : slices) {
        for (const auto y : rows) {
            for (const auto x : columns) {
                m_tiles.push_back({x, y, z, extentAt(columns, s.width, x), extentAt(rows, s.height, y)});
            }
        }
    }
}

double Verifier::tapsOf(std::int64_t width, std::int64_t height) const {
    const double taps =
        byFactors() ? tapsOfProduct(m_filter, width, height) : static_cast<double>(m_filter.weights.size());
    return std::max(kLeastTaps, taps);
}

double Verifier::roundedTaps() const {
    // Only rows that go along one axis after the other take the larger ones.
    if (byFactors()) return m_filter.width + m_filter.height + m_filter.depth;
    return static_cast<double>(m_filter.weights.size());
}

std::vector<Exact> Verifier::exactOf(const Tile& tile) const {
    std::vector<Exact> values(static_cast<std::size_t>(tile.width * tile.height * m_channels));
    const auto channels = static_cast<std::size_t>(m_channels);
    for (int c = 0; c < m_channels; ++c) {
        auto to = static_cast<std::size_t>(c);
        if (byFactors()) {
            for (const Exact& e : exactProduct(*m_input, m_filter, m_border, m_offset, tile, c)) {
                values[to] = e;
                to += channels;
            }
            continue;
        }
        for (auto y = tile.y; y < tile.y + tile.height; ++y) {
            for (auto x = tile.x; x < tile.x + tile.width; ++x, to += channels)
                values[to] = exactAt(*m_input, m_filter, m_border, m_offset, x, y, tile.z, c);
        }
    }
    return values;
}

void Verifier::compute(std::stop_token stop) const {
    if (!m_exact.empty()) return;
    std::vector<std::vector<Exact>> exact(m_tiles.size());
    tbb::parallel_for(std::size_t{0}, m_tiles.size(), [&](std::size_t i) {
        if (stop.stop_requested()) return;
        exact[i] = exactOf(m_tiles[i]);
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
    m_exact = std::move(exact);
}

Verification Verifier::verify(const io::Grid& output, std::stop_token stop, const Bound& allowed) const {
    const std::lock_guard lock(m_mutex);
    compute(stop);
    constexpr double kMost = std::numeric_limits<float>::max(), kEpsilon = std::numeric_limits<float>::epsilon(),
                     kTiny = std::numeric_limits<float>::denorm_min();
    const double taps = roundedTaps();
    // Tiles are independent, and put together in their order.
    std::vector<ImageVerifier> judges(m_tiles.size(), ImageVerifier(output));
    tbb::parallel_for(std::size_t{0}, m_tiles.size(), [&](std::size_t i) {
        if (stop.stop_requested()) return;
        const Tile& tile = m_tiles[i];
        ImageVerifier judge(output);
        auto exact = m_exact[i].begin();
        for (auto y = tile.y; y < tile.y + tile.height; ++y) {
            for (auto x = tile.x; x < tile.x + tile.width; ++x) {
                for (int c = 0; c < output.shape().channels; ++c) {
                    const ImageVerifier::Place place{x, y, tile.z};
                    if (c >= m_channels) {
                        judge.kept(place, c, m_input->value(x, y, tile.z, c));
                        continue;
                    }
                    const Exact& e = *exact++;
                    // Where single precision may overflow on the way, there is nothing to compare.
                    if (std::isfinite(e.value) && e.magnitude > kMost) continue;
                    const double rounding = (taps + 1) * kEpsilon * e.magnitude + taps * kTiny;
                    judge.computed(place, c, e.value, allowed.factor * rounding + allowed.absolute);
                }
            }
        }
        judges[i] = judge;
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
    ImageVerifier all(output);
    for (const ImageVerifier& judge : judges) all.join(judge);
    return all.result();
}

}  // namespace warplens::gpu::convolution
