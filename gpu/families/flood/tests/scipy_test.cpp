// SPDX-License-Identifier: Apache-2.0
// Generated inputs against scipy: scipy_steps.json, made by make_scipy_steps.py.
#include "gpu/families/flood/tests/flood_case.hpp"
#include "io/generate.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace warplens::gpu::testing {
namespace {

TEST(FloodAgainstScipy, StepsOfEveryRow) {
    std::ifstream file(WARPLENS_SOURCE_DIR "/gpu/families/flood/tests/scipy_steps.json");
    Runner runner;
    int floods = 0;
    for (const auto& entry : nlohmann::json::parse(file)) {
        const std::string name = entry.at("input");
        const FloodAsked asked{entry.at("seeds"), entry.at("tolerance"), entry.at("connectivity")};
        const std::vector<std::int32_t> steps = entry.at("steps");
        const auto input = std::make_shared<const io::Grid>(io::generate(name));
        for (const auto& run : runner.run(floodRequest(input, asked, "cpu")).runs) {
            if (run.status == Status::unsupported) continue;
            const std::string what = name + ' ' + asked.connectivity + ' ' + run.variant;
            ASSERT_EQ(run.status, Status::ok) << what << ": " << run.reason;
            const auto* const got = run.result.picture->as<std::int32_t>();
            EXPECT_EQ(std::vector<std::int32_t>(got, got + run.result.picture->shape().pixels()), steps) << what;
            ++floods;
        }
    }
    EXPECT_EQ(floods, 5 * 8 + 2 * 7);
}

}  // namespace
}  // namespace warplens::gpu::testing
