// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/service.hpp"
#include "tests/support/family_case.hpp"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

using FloodPlace = std::array<std::int64_t, 3>;

struct FloodAsked {
    std::vector<FloodPlace> seeds;
    double tolerance = 0;
    std::string connectivity = "4";

    std::string text() const {
        std::string list;
        for (const auto& [x, y, z] : seeds)
            list += (list.empty() ? "" : ";") + std::to_string(x) + "," + std::to_string(y) +
                    (z > 0 ? "," + std::to_string(z) : "");
        return list;
    }
    ParameterValues values() const {
        return {{"seeds", text()}, {"tolerance", tolerance}, {"connectivity", connectivity}};
    }
    RoleValues roles() const {
        using Role = Parameter::Role;
        return {{Role::seeds, text()}, {Role::valueTolerance, tolerance}, {Role::connectivity, connectivity}};
    }
};

inline Request floodRequest(std::shared_ptr<const io::Grid> input, const FloodAsked& asked, const std::string& device) {
    return requestFor("flood", std::move(input), asked.values(), device);
}

/// Steps by a queue in which the seeds stand in their order: the first to come to a pixel is the first in the list.
inline std::vector<std::int32_t> stepsByQueue(const io::Grid& grid, const FloodAsked& asked) {
    struct Item {
        FloodPlace at;
        std::size_t seed;
    };
    const io::Shape& s = grid.shape();
    std::vector<std::int32_t> steps(static_cast<std::size_t>(s.pixels()), -1);
    std::queue<Item> queue;
    const auto offer = [&](const FloodPlace& at, std::size_t seed, std::int32_t level) {
        const auto [x, y, z] = at;
        if (x < 0 || y < 0 || z < 0 || x >= s.width || y >= s.height || z >= s.depth) return;
        auto& step = steps[static_cast<std::size_t>((z * s.height + y) * s.width + x)];
        if (step >= 0) return;
        for (int c = 0; c < s.channels; ++c) {
            const auto& from = asked.seeds[seed];
            const double value = grid.value(x, y, z, c), wanted = grid.value(from[0], from[1], from[2], c);
            if (!(value >= wanted - asked.tolerance && value <= wanted + asked.tolerance)) return;
        }
        step = level;
        queue.push({at, seed});
    };
    for (std::size_t i = 0; i < asked.seeds.size(); ++i) offer(asked.seeds[i], i, 0);
    const bool deep = asked.connectivity == "6" || asked.connectivity == "26";
    const bool corners = asked.connectivity == "8" || asked.connectivity == "26";
    while (!queue.empty()) {
        const auto [at, seed] = queue.front();
        queue.pop();
        const auto level = steps[static_cast<std::size_t>((at[2] * s.height + at[1]) * s.width + at[0])] + 1;
        for (int z = -1; z <= 1; ++z)
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x) {
                    if ((z != 0 && !deep) || (!corners && std::abs(x) + std::abs(y) + std::abs(z) != 1)) continue;
                    offer({at[0] + x, at[1] + y, at[2] + z}, seed, level);
                }
    }
    return steps;
}

/// A picture of one channel, 255 where the text has a blank.
inline std::shared_ptr<io::Grid> drawn(const std::vector<std::string>& rows, io::PixelType type = io::PixelType::u8) {
    auto grid = std::make_shared<io::Grid>(
        io::Shape{static_cast<std::int64_t>(rows.front().size()), static_cast<std::int64_t>(rows.size())}, type);
    for (std::size_t y = 0; y < rows.size(); ++y)
        for (std::size_t x = 0; x < rows[y].size(); ++x)
            grid->setValue(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), 0, 0,
                           rows[y][x] == ' ' ? 255 : rows[y][x] - '0');
    return grid;
}

class FloodCase : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every row makes the queue's steps and its levels, or is unsupported with a reason. Returns the rows that are ok.
    std::set<std::string> expectSteps(const std::shared_ptr<const io::Grid>& input, const FloodAsked& asked,
                                      const std::string& what, const std::vector<std::string>& variants = {},
                                      const TunableValues& tunables = {}, const Scheduling& scheduling = {}) {
        auto request = floodRequest(input, asked, GetParam());
        request.variants = variants;
        request.tunables = tunables;
        request.scheduling = scheduling;
        const auto expected = stepsByQueue(*input, asked);
        std::vector<std::int64_t> frontiers;
        for (const auto step : expected) {
            if (step < 0) continue;
            if (static_cast<std::size_t>(step) >= frontiers.size())
                frontiers.resize(static_cast<std::size_t>(step) + 1);
            ++frontiers[static_cast<std::size_t>(step)];
        }
        std::set<std::string> ran;
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->mismatches, 0) << what << ": " << run.variant;
            const io::Grid& picture = *run.result.picture;
            EXPECT_EQ(picture.type(), io::PixelType::i32);
            EXPECT_EQ(picture.shape().channels, 1);
            EXPECT_TRUE(std::memcmp(picture.data(), expected.data(), picture.bytes()) == 0)
                << what << ": " << run.variant;
            EXPECT_EQ(run.result.tables.front()->integers("frontier"), frontiers) << what << ": " << run.variant;
            ran.insert(run.variant);
        }
        return ran;
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
