// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/rank/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tbb/parallel_for.h>
#include <unordered_map>

namespace warplens::gpu::rank {
namespace {

// Values that the definition may gather: half a second on two cores.
constexpr double kBudget = 5e7;
constexpr std::int64_t kTileSide = 24;
// Keeps tiles off multiples of a kernel's own tile.
constexpr std::int64_t kTileShift = 5;

// Walks back into the picture step by step as each border's definition says; -1 where there is nothing.
std::int64_t inside(std::int64_t i, std::int64_t n, Border border) {
    if (border == Border::zero) return i >= 0 && i < n ? i : -1;
    if (border == Border::replicate) return i < 0 ? 0 : i >= n ? n - 1 : i;
    while (i < 0 || i >= n) {
        if (border == Border::wrap)
            i += i < 0 ? n : -n;
        else if (n == 1)
            i = 0;
        else
            i = i < 0 ? -i : 2 * (n - 1) - i;
    }
    return i;
}

/// Where tiles begin along an extent of n, both ends among them, none over another.
std::vector<std::int64_t> startsAlong(std::int64_t n, std::int64_t tiles) {
    const std::int64_t last = std::max<std::int64_t>(0, n - kTileSide);
    std::vector<std::int64_t> starts{0};
    tiles = std::clamp<std::int64_t>(last / (kTileSide + kTileShift), 1, tiles);
    for (std::int64_t i = 1; i < tiles; ++i) starts.push_back(last * i / tiles + kTileShift);
    if (last > 0) starts.push_back(last);
    return starts;
}

struct Place {
    std::int64_t x, y, z;
};

/// The window around a place; valueAt(place) gives what lies inside.
template <class F>
std::vector<double> gathered(const io::Shape& s, const Case& of, const Place& at, F valueAt) {
    const Window& window = of.window;
    const int radius = window.radius, deep = window.volume ? radius : 0;
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(window.values()));
    for (int k = -deep; k <= deep; ++k) {
        const std::int64_t fromZ = window.volume ? inside(at.z + k, s.depth, of.border) : at.z;
        for (int j = -radius; j <= radius; ++j) {
            const std::int64_t fromY = inside(at.y + j, s.height, of.border);
            for (int i = -radius; i <= radius; ++i) {
                if (window.cross && (i != 0) + (j != 0) + (k != 0) > 1) continue;
                const std::int64_t fromX = inside(at.x + i, s.width, of.border);
                const bool nothing = fromX < 0 || fromY < 0 || fromZ < 0;
                values.push_back(nothing ? 0 : valueAt({fromX, fromY, fromZ}));
            }
        }
    }
    return values;
}

/// Value `index` of the sorted window around a place.
template <class F>
double rankedOf(const io::Shape& s, const Case& of, int index, const Place& at, F valueAt) {
    std::vector<double> values = gathered(s, of, at, valueAt);
    const auto found = values.begin() + index;
    std::nth_element(values.begin(), found, values.end(), [](double a, double b) {
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
        return a < b;
    });
    return *found;
}

/// Of two steps what comes of them; the first one's results are worked out where the second one looks, each once.
class SecondStep {
public:
    SecondStep(const io::Grid& input, const Case& of) : m_input(input), m_case(of) {}

    double at(const Place& place, int channel) {
        using Subtracts = Case::Subtracts;
        const auto picture = [&](const Place& p) { return m_input.value(p.x, p.y, p.z, channel); };
        switch (m_case.subtracts) {
            case Subtracts::result: return difference(picture(place), second(place, channel));
            case Subtracts::picture: return difference(second(place, channel), picture(place));
            case Subtracts::first:
                return difference(rankedOf(m_input.shape(), m_case, m_case.then, place, picture),
                                  rankedOf(m_input.shape(), m_case, m_case.index, place, picture));
            case Subtracts::nothing: break;
        }
        return second(place, channel);
    }

private:
    /// In double, which rounds once more as a float's difference does.
    double difference(double from, double what) const {
        return m_input.type() == io::PixelType::f32 ? static_cast<float>(from - what) : std::max(from - what, 0.0);
    }
    double second(const Place& place, int channel) {
        const io::Shape& s = m_input.shape();
        return rankedOf(s, m_case, m_case.then, place, [&](const Place& p) {
            const std::int64_t index = ((p.z * s.height + p.y) * s.width + p.x) * s.channels + channel;
            const auto [entry, fresh] = m_first.try_emplace(index);
            if (fresh) entry->second = rankedAt(m_input, m_case, p.x, p.y, p.z, channel);
            return entry->second;
        });
    }

    const io::Grid& m_input;
    const Case& m_case;
    std::unordered_map<std::int64_t, double> m_first;
};

}  // namespace

bool holdsNotANumber(const io::Grid& grid) {
    if (grid.type() != io::PixelType::f32) return false;
    const float* values = grid.as<float>();
    return std::any_of(values, values + grid.shape().values(), [](float v) { return std::isnan(v); });
}

int indexOf(double percentile, int count) { return static_cast<int>(std::floor(percentile / 100 * (count - 1) + 0.5)); }

double rankedAt(const io::Grid& input, const Case& of, std::int64_t x, std::int64_t y, std::int64_t z, int channel) {
    return rankedOf(input.shape(), of, of.index, {x, y, z},
                    [&](const Place& p) { return input.value(p.x, p.y, p.z, channel); });
}

std::vector<double> windowAt(const io::Grid& input, const Case& of, std::int64_t x, std::int64_t y, std::int64_t z,
                             int channel) {
    return gathered(input.shape(), of, {x, y, z}, [&](const Place& p) { return input.value(p.x, p.y, p.z, channel); });
}

Verifier::Verifier(std::shared_ptr<const io::Grid> input, const Case& of, int channels)
    : m_input(std::move(input)), m_case(of), m_channels(channels) {
    const io::Shape& s = m_input->shape();
    const double values = m_case.window.values();
    if (static_cast<double>(s.values()) * values <= kBudget) {
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; y += 8)
                m_tiles.push_back({0, y, z, s.width, std::min<std::int64_t>(8, s.height - y)});
        return;
    }
    std::set<std::int64_t> slices;
    for (std::int64_t k = 0; k <= 4; ++k) slices.insert((s.depth - 1) * k / 4);
    for (std::int64_t k = 0; k < std::min<std::int64_t>(kMaxVolumeRadius, s.depth); ++k)
        slices.insert({k, s.depth - 1 - k});
    const double tileCost = static_cast<double>(kTileSide * kTileSide * s.channels) * values;
    const double perSlice = std::max(9.0, kBudget / tileCost / static_cast<double>(slices.size()));
    const auto along = static_cast<std::int64_t>(std::sqrt(perSlice)) - 1;
    const auto columns = startsAlong(s.width, along), rows = startsAlong(s.height, along);
    const auto extentAt = [](const std::vector<std::int64_t>& starts, std::size_t i, std::int64_t n) {
        return std::min(kTileSide, (i + 1 < starts.size() ? starts[i + 1] : n) - starts[i]);
    };
    for (const std::int64_t z : slices)
        for (std::size_t j = 0; j < rows.size(); ++j)
            for (std::size_t i = 0; i < columns.size(); ++i)
                m_tiles.push_back({columns[i], rows[j], z, extentAt(columns, i, s.width), extentAt(rows, j, s.height)});
}

void Verifier::compute(const std::stop_token& stop) const {
    if (!m_exact.empty()) return;
    std::vector<std::vector<double>> exact(m_tiles.size());
    tbb::parallel_for(std::size_t{0}, m_tiles.size(), [&](std::size_t i) {
        const Tile& tile = m_tiles[i];
        SecondStep second(*m_input, m_case);
        for (auto y = tile.y; y < tile.y + tile.height; ++y) {
            if (stop.stop_requested()) return;
            for (auto x = tile.x; x < tile.x + tile.width; ++x)
                for (int c = 0; c < m_channels; ++c)
                    exact[i].push_back(m_case.then >= 0 ? second.at({x, y, tile.z}, c)
                                                        : rankedAt(*m_input, m_case, x, y, tile.z, c));
        }
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
    m_exact = std::move(exact);
}

Verification Verifier::verify(const io::Grid& output, const std::stop_token& stop) const {
    const std::lock_guard lock(m_mutex);
    compute(stop);
    ImageVerifier judge(output);
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        const Tile& tile = m_tiles[i];
        auto exact = m_exact[i].begin();
        for (auto y = tile.y; y < tile.y + tile.height; ++y)
            for (auto x = tile.x; x < tile.x + tile.width; ++x)
                for (int c = 0; c < output.shape().channels; ++c)
                    judge.kept({x, y, tile.z}, c, c < m_channels ? *exact++ : m_input->value(x, y, tile.z, c));
    }
    return judge.result();
}

}  // namespace warplens::gpu::rank
