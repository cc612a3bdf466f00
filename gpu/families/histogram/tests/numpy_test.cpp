// SPDX-License-Identifier: Apache-2.0
// Every sample and generated input against numpy's searchsorted on the edges: numpy_counts.json, made by
// make_numpy_counts.py.
#include "gpu/core/counts.hpp"
#include "gpu/families/histogram/contention_map.hpp"
#include "gpu/families/histogram/statistics.hpp"
#include "gpu/families/histogram/tests/histogram_case.hpp"
#include "io/read.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace warplens::gpu::testing {
namespace {

const std::string kSamples = WARPLENS_SOURCE_DIR "/resources/samples/";

std::shared_ptr<const io::Grid> inputNamed(const std::string& name) {
    return std::make_shared<const io::Grid>(io::read(name.starts_with("gen:") ? name : kSamples + name));
}

nlohmann::json expectedCounts() {
    std::ifstream file(WARPLENS_SOURCE_DIR "/gpu/families/histogram/tests/numpy_counts.json");
    return nlohmann::json::parse(file);
}

TEST(HistogramAgainstNumpy, EverySampleAndGeneratedInput) {
    Runner runner;
    std::map<std::string, std::shared_ptr<const io::Grid>> inputs;
    std::set<std::string> seen;
    for (const auto& entry : expectedCounts()) {
        const std::string name = entry.at("input");
        seen.insert(name);
        auto& input = inputs[name];
        if (input == nullptr) input = inputNamed(name);
        auto request = histogramRequest(
            input, {{"bins", entry.at("bins").get<std::int64_t>()}, {"range", entry.at("range").get<std::string>()}},
            "cpu");
        int ok = 0;
        for (const auto& run : runner.run(request).runs) {
            if (run.status != Status::ok || run.kind != Variant::Kind::kernel) continue;
            ++ok;
            const auto counts = countsOf(run.result.tables);
            const auto& channels = counts->channels;
            ASSERT_EQ(channels.size(), entry.at("channels").size()) << name;
            for (std::size_t c = 0; c < channels.size(); ++c) {
                const auto& expected = entry.at("channels")[c];
                const auto what = name + " " + expected.at("name").get<std::string>() + " " + run.variant;
                EXPECT_EQ(channels[c].name, expected.at("name").get<std::string>()) << what;
                EXPECT_EQ(channels[c].bins, expected.at("bins").get<std::vector<std::int64_t>>()) << what;
                EXPECT_EQ(channels[c].below, expected.at("below").get<std::int64_t>()) << what;
                EXPECT_EQ(channels[c].above, expected.at("above").get<std::int64_t>()) << what;
                EXPECT_EQ(totalOf(channels[c]), input->shape().pixels()) << what;
            }
        }
        EXPECT_GE(ok, 7) << name;
    }
    for (const auto& file : std::filesystem::directory_iterator(kSamples)) {
        if (file.path().extension() != ".png") continue;
        EXPECT_EQ(seen.count(file.path().filename()), 1U) << file.path();
    }
    EXPECT_GE(seen.size(), 15U);
}

// The photograph that the window's design was drawn with, its figures enumerated then.
TEST(HistogramAgainstNumpy, ContentionAndStatisticsOfTheCameraPicture) {
    const auto input = inputNamed("camera.png");
    const histogram::HistogramProblem problem(input, {});
    const auto device = openDevice("cpu");
    const Variant& naive = variantOf(familyOf("histogram"), "naive");
    const auto counted =
        histogram::contentionMap(problem, *input, naive, resolve(naive, {}), device->info(), 0).counted;
    EXPECT_EQ(counted.count(), 8192);
    EXPECT_NEAR(counted.mean(), 8.94, 0.005);
    EXPECT_NEAR(counted.share(8), 0.403, 0.0005);
    const auto s = histogram::statisticsOf(*input, 0);
    EXPECT_NEAR(s.mean, 129.061, 0.0005);
    EXPECT_NEAR(s.deviation, 73.645, 0.0005);
    EXPECT_EQ(s.median, 152);
    EXPECT_EQ(s.percentiles, (std::array<double, 4>{12, 35, 197, 213}));
}

}  // namespace
}  // namespace warplens::gpu::testing
