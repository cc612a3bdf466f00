// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/generate.hpp"
#include "tests/support/family_case.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

inline Request componentsRequest(std::shared_ptr<const io::Grid> input, const std::string& connectivity, double level,
                                 const std::string& device) {
    return requestFor("components", std::move(input), {{"connectivity", connectivity}, {"level", level}}, device);
}

inline std::shared_ptr<io::Grid> generated(const std::string& description) {
    return std::make_shared<io::Grid>(io::generate(description));
}

/// Labels and their table in the plainest way: the lowest place spreads until nothing changes; then places are
/// numbered as they rise.
struct PlainLabels {
    std::vector<std::uint32_t> labels;
    std::vector<std::int64_t> area;
    std::vector<std::array<std::int64_t, 3>> low, high, sum;

    PlainLabels(const io::Grid& input, const std::string& connectivity, double level) {
        const io::Shape& s = input.shape();
        const bool corners = connectivity == "8" || connectivity == "26" || connectivity == "all";
        std::vector<std::int64_t> lowest;
        eachPlace(s, [&](auto x, auto y, auto z) {
            bool inside = true;
            for (int c = 0; c < std::min(s.channels, 3); ++c) inside = inside && input.value(x, y, z, c) > level;
            lowest.push_back(inside ? static_cast<std::int64_t>(lowest.size()) : -1);
        });
        const auto at = [&](auto x, auto y, auto z) -> std::int64_t& {
            return lowest[static_cast<std::size_t>((z * s.height + y) * s.width + x)];
        };
        const auto spread = [&](auto x, auto y, auto z) {
            bool changed = false;
            if (at(x, y, z) < 0) return changed;
            for (int dz = -1; dz <= 1; ++dz)
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                        if (!corners && dx * dx + dy * dy + dz * dz != 1) continue;
                        const auto nx = x + dx, ny = y + dy, nz = z + dz;
                        if (nx < 0 || ny < 0 || nz < 0 || nx >= s.width || ny >= s.height || nz >= s.depth) continue;
                        if (at(nx, ny, nz) < 0 || at(nx, ny, nz) >= at(x, y, z)) continue;
                        at(x, y, z) = at(nx, ny, nz);
                        changed = true;
                    }
            return changed;
        };
        for (bool changed = true; changed;) {
            changed = false;
            eachPlace(s, [&](auto x, auto y, auto z) { changed = spread(x, y, z) || changed; });
            // The other way, too, or long ways would take long.
            eachPlace(s, [&](auto x, auto y, auto z) {
                changed = spread(s.width - 1 - x, s.height - 1 - y, s.depth - 1 - z) || changed;
            });
        }
        number(s, lowest);
    }

private:
    template <class F>
    static void eachPlace(const io::Shape& s, F f) {
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y)
                for (std::int64_t x = 0; x < s.width; ++x) f(x, y, z);
    }
    void number(const io::Shape& s, const std::vector<std::int64_t>& lowest) {
        std::vector<std::int64_t> firsts;
        for (std::size_t i = 0; i < lowest.size(); ++i)
            if (lowest[i] == static_cast<std::int64_t>(i)) firsts.push_back(lowest[i]);
        area.resize(firsts.size());
        low.assign(firsts.size(), {s.width, s.height, s.depth});
        high.assign(firsts.size(), {-1, -1, -1});
        sum.resize(firsts.size());
        std::size_t i = 0;
        eachPlace(s, [&](auto x, auto y, auto z) {
            const std::int64_t first = lowest[i++];
            if (first < 0) return labels.push_back(0);
            const auto n =
                static_cast<std::size_t>(std::lower_bound(firsts.begin(), firsts.end(), first) - firsts.begin());
            labels.push_back(static_cast<std::uint32_t>(n) + 1);
            ++area[n];
            const std::array<std::int64_t, 3> place{x, y, z};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                low[n][axis] = std::min(low[n][axis], place[axis]);
                high[n][axis] = std::max(high[n][axis], place[axis]);
                sum[n][axis] += place[axis];
            }
        });
    }
};

class ComponentsCase : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every row is ok and what the plainest way finds, or unsupported with a reason. Returns those that are ok.
    std::set<std::string> expectLabels(const std::shared_ptr<const io::Grid>& input, const std::string& connectivity,
                                       double level, const std::string& what, const Scheduling& scheduling = {}) {
        auto request = componentsRequest(input, connectivity, level, GetParam());
        request.scheduling = scheduling;
        return expectRuns(request, what + ", " + connectivity, PlainLabels(*input, connectivity, level));
    }

    std::set<std::string> expectRuns(const Request& request, const std::string& what, const PlainLabels& plain) {
        std::set<std::string> ran;
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok)
                << what << ": " << describe(run) << (run.verification ? run.verification->firstMismatch : "");
            if (run.status != Status::ok) continue;
            ran.insert(run.variant);
            expectSame(run, what + ": " + run.variant, plain);
        }
        return ran;
    }

    static void expectSame(const RunRecord& run, const std::string& what, const PlainLabels& plain) {
        const io::Grid& picture = *run.result.picture;
        ASSERT_EQ(picture.type(), io::PixelType::u32) << what;
        ASSERT_EQ(picture.shape().channels, 1) << what;
        const auto* const got = picture.as<std::uint32_t>();
        EXPECT_TRUE(std::equal(plain.labels.begin(), plain.labels.end(), got)) << what;
        const Table& table = *run.result.tables.front();
        ASSERT_EQ(table.rows(), plain.area.size()) << what;
        EXPECT_EQ(table.integers("area"), plain.area) << what;
        const std::array<const char*, 3> low{"x0", "y0", "z0"}, high{"x1", "y1", "z1"}, centre{"cx", "cy", "cz"};
        for (std::size_t n = 0; n < plain.area.size(); ++n) {
            ASSERT_EQ(table.integers("label")[n], static_cast<std::int64_t>(n) + 1) << what;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                ASSERT_EQ(table.integers(low[axis])[n], plain.low[n][axis]) << what << " " << n;
                ASSERT_EQ(table.integers(high[axis])[n], plain.high[n][axis]) << what << " " << n;
                ASSERT_EQ(table.reals(centre[axis])[n],
                          static_cast<double>(plain.sum[n][axis]) / static_cast<double>(plain.area[n]))
                    << what << " " << n;
            }
        }
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
