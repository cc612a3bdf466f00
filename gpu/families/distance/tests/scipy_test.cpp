// SPDX-License-Identifier: Apache-2.0
// Generated inputs against scipy: scipy_distances.json, made by make_scipy_distances.py.
#include "gpu/families/distance/tests/distance_case.hpp"
#include "io/generate.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace warplens::gpu::testing {
namespace {

TEST(DistanceAgainstScipy, EveryExactRow) {
    std::ifstream file(WARPLENS_SOURCE_DIR "/gpu/families/distance/tests/scipy_distances.json");
    Runner runner;
    int rows = 0;
    for (const auto& entry : nlohmann::json::parse(file)) {
        const std::string name = entry.at("input");
        const bool squared = entry.contains("squared");
        const std::vector<double> expected = entry.at(squared ? "squared" : "distances");
        auto input = std::make_shared<io::Grid>(io::generate(name));
        if (!squared) input->geometry.spacing = entry.at("spacing");
        Request request =
            requestFor("distance", input, distances(squared, squared ? "pixels" : "mm", entry.at("level")), "cpu");
        for (const auto& run : runner.run(request).runs) {
            if (run.status == Status::unsupported || run.variant == "jump_flooding") continue;
            const std::string what = name + ' ' + run.variant;
            ASSERT_EQ(run.status, Status::ok) << what << ": " << run.reason;
            const io::Shape& s = run.result.picture->shape();
            std::size_t i = 0;
            for (std::int64_t z = 0; z < s.depth; ++z)
                for (std::int64_t y = 0; y < s.height; ++y)
                    for (std::int64_t x = 0; x < s.width; ++x, ++i)
                        EXPECT_NEAR(run.result.picture->value(x, y, z), expected[i], squared ? 0 : 4e-7 * expected[i])
                            << what << " at " << x << ", " << y << ", " << z;
            ++rows;
        }
    }
    EXPECT_EQ(rows, 7 * 5);
}

}  // namespace
}  // namespace warplens::gpu::testing
