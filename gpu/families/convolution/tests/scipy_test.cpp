// SPDX-License-Identifier: Apache-2.0
// Gaussians of generated volumes against scipy: scipy_volumes.json, made by make_scipy_volumes.py.
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "io/generate.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::gpu::testing {
namespace {

TEST(VolumeAgainstScipy, EveryRow) {
    std::ifstream file(WARPLENS_SOURCE_DIR "/gpu/families/convolution/tests/scipy_volumes.json");
    Runner runner;
    int rows = 0;
    for (const auto& entry : nlohmann::json::parse(file)) {
        const std::string name = entry.at("input");
        const std::vector<double> expected = entry.at("values");
        auto input = std::make_shared<io::Grid>(io::generate(name));
        input->geometry.spacing = entry.at("spacing");
        const Request request = requestFor(input,
                                           {{"dimensions", std::string("3")},
                                            {"filter", std::string("gaussian")},
                                            {"border", entry.at("border").get<std::string>()},
                                            {"radius", entry.at("radius").get<std::int64_t>()},
                                            {"sigma", entry.at("sigma").get<double>()},
                                            {"sigma-unit", std::string("mm")},
                                            {"output-type", std::string("f32")}},
                                           "cpu");
        for (const auto& run : runner.run(request).runs) {
            if (run.status == Status::unsupported) continue;
            const std::string what = name + ' ' + run.variant;
            ASSERT_EQ(run.status, Status::ok) << what << ": " << run.reason;
            const io::Shape& s = run.result.picture->shape();
            std::size_t i = 0;
            for (std::int64_t z = 0; z < s.depth; ++z)
                for (std::int64_t y = 0; y < s.height; ++y)
                    for (std::int64_t x = 0; x < s.width; ++x, ++i)
                        EXPECT_NEAR(run.result.picture->value(x, y, z), expected[i], 2e-6 * expected[i])
                            << what << " at " << x << ", " << y << ", " << z;
            ++rows;
        }
    }
    EXPECT_EQ(rows, 17 + 17 + 16 + 16 + 2 + 2);
}

}  // namespace
}  // namespace warplens::gpu::testing
