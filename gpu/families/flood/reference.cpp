// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/flood/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"
#include "gpu/core/table_judge.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace warplens::gpu::flood {
namespace {

void stopWhenAsked(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
}

/// The picture with what the definition says of two pixels.
class Ground {
public:
    Ground(const io::Grid& input, const FloodOptions& asked) : m_input(input), m_asked(asked) {}

    bool inside(const Place& at) const {
        const io::Shape& s = m_input.shape();
        return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < s.width && at[1] < s.height && at[2] < s.depth;
    }
    std::size_t number(const Place& at) const {
        const io::Shape& s = m_input.shape();
        return static_cast<std::size_t>((at[2] * s.height + at[1]) * s.width + at[0]);
    }
    /// In double: the bounds are computed as everywhere, the comparison needs no rounding.
    bool accepts(std::size_t seed, const Place& at) const {
        const Place& from = m_asked.seeds[seed];
        for (int c = 0; c < m_input.shape().channels; ++c) {
            const double wanted = m_input.value(from[0], from[1], from[2], c),
                         value = m_input.value(at[0], at[1], at[2], c);
            if (!(value >= wanted - m_asked.tolerance && value <= wanted + m_asked.tolerance)) return false;
        }
        return true;
    }
    std::vector<Place> neighbourhood() const {
        const auto connectivity = m_asked.connectivity;
        const bool deep = connectivity == Connectivity::faces || connectivity == Connectivity::all;
        const bool corners = connectivity == Connectivity::corners || connectivity == Connectivity::all;
        std::vector<Place> steps;
        for (std::int64_t z = deep ? -1 : 0; z <= (deep ? 1 : 0); ++z)
            for (std::int64_t y = -1; y <= 1; ++y)
                for (std::int64_t x = -1; x <= 1; ++x) {
                    const auto axes = std::abs(x) + std::abs(y) + std::abs(z);
                    if (axes == 1 || (axes > 1 && corners)) steps.push_back({x, y, z});
                }
        return steps;
    }

private:
    const io::Grid& m_input;
    const FloodOptions& m_asked;
};

}  // namespace

std::shared_ptr<io::Grid> flooded(const io::Grid& input, const FloodOptions& asked, const std::stop_token& stop) {
    constexpr std::size_t kBetweenLooks = 1U << 14U;
    constexpr auto kNobody = std::numeric_limits<std::uint32_t>::max();
    const Ground ground(input, asked);
    io::Shape shape = input.shape();
    shape.channels = 1;
    auto output = std::make_shared<io::Grid>(shape, io::PixelType::i32);
    auto* const steps = output->as<std::int32_t>();
    const auto pixels = static_cast<std::size_t>(input.shape().pixels());
    std::memset(steps, 0xff, pixels * sizeof *steps);
    std::vector<std::uint32_t> owners(pixels, kNobody);
    std::vector<Place> frontier, next;
    const auto claim = [&](std::size_t seed, const Place& at) {
        auto& owner = owners[ground.number(at)];
        if (owner == kNobody) next.push_back(at);
        owner = std::min(owner, static_cast<std::uint32_t>(seed));
    };
    for (std::size_t seed = 0; seed < asked.seeds.size(); ++seed)
        if (ground.accepts(seed, asked.seeds[seed])) claim(seed, asked.seeds[seed]);
    const auto neighbourhood = ground.neighbourhood();
    for (std::int32_t level = 0; !next.empty(); ++level) {
        for (const Place& at : next) steps[ground.number(at)] = level;
        frontier.swap(next);
        next.clear();
        stopWhenAsked(stop);
        for (std::size_t i = 0; i < frontier.size(); ++i) {
            if (i % kBetweenLooks == 0) stopWhenAsked(stop);
            const auto owner = owners[ground.number(frontier[i])];
            for (const Place& step : neighbourhood) {
                const Place at{frontier[i][0] + step[0], frontier[i][1] + step[1], frontier[i][2] + step[2]};
                if (ground.inside(at) && steps[ground.number(at)] < 0 && ground.accepts(owner, at)) claim(owner, at);
            }
        }
    }
    return output;
}

std::shared_ptr<const Table> levelsOf(const io::Grid& steps) {
    Column::Integers levels, frontiers;
    const auto pixels = static_cast<std::size_t>(steps.shape().pixels());
    const auto* const values = steps.as<std::int32_t>();
    for (std::size_t i = 0; i < pixels; ++i) {
        // Of a wrong result any value may come; no region has more levels than pixels.
        if (values[i] < 0 || static_cast<std::size_t>(values[i]) >= pixels) continue;
        const auto level = static_cast<std::size_t>(values[i]);
        if (level >= frontiers.size()) frontiers.resize(level + 1);
        ++frontiers[level];
    }
    for (std::size_t i = 0; i < frontiers.size(); ++i) levels.push_back(static_cast<std::int64_t>(i));
    auto table = std::make_shared<Table>();
    table->id = "levels";
    table->title = "Levels";
    table->columns.push_back({.id = "level", .title = "Level", .values = std::move(levels)});
    table->columns.push_back({.id = "frontier", .title = "Frontier", .unit = "px", .values = std::move(frontiers)});
    return table;
}

Verification compare(const io::Grid& steps, const Table& levels, const io::Grid& exact, const std::stop_token& stop) {
    TableJudge table;
    table.compare(levels, *levelsOf(exact));
    const Verification figures = table.result();
    ImageVerifier judge(steps);
    const io::Shape& s = exact.shape();
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y) {
            stopWhenAsked(stop);
            for (std::int64_t x = 0; x < s.width; ++x) judge.kept({x, y, z}, 0, exact.value(x, y, z, 0));
        }
    Verification found = judge.result();
    if (found.mismatches == 0) found.firstMismatch = figures.firstMismatch;
    found.mismatches += figures.mismatches;
    return found;
}

}  // namespace warplens::gpu::flood
