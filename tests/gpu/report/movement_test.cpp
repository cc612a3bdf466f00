// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/movement.hpp"

#include "gpu/core/environment.hpp"
#include "tests/support/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::gpu {
namespace {

using testing::HasSubstr;

/// Two pictures of 1 GB: one after the other, overlapped, and refused.
TransferBenchmark sample() {
    using enum MovementEngine;
    TransferBenchmark movement{.environment = describeEnvironment(), .family = "convolution", .variant = "constant"};
    movement.device.name = "GPU";
    movement.device.kind = DeviceKind::cuda;
    movement.pictures = 2;
    movement.sentBytes = 1'000'000'000;
    movement.madeBytes = 500'000'000;
    const std::vector<MovementItem> items{{"picture 1", 1'000'000'000}, {"picture 2", 1'000'000'000}};
    movement.rows = {{.way = "pinned",
                      .ms = {70, 72},
                      .medianMs = 72,
                      .items = items,
                      .spans = {{0, upload, 0, 0, 0.02},
                                {0, kernel, 0, 0.02, 0.03},
                                {0, download, 0, 0.03, 0.036},
                                {1, upload, 0, 0.036, 0.061},
                                {1, kernel, 0, 0.061, 0.066},
                                {1, download, 0, 0.066, 0.072}},
                      .seconds = 0.072},
                     {.way = "engines",
                      .ms = {60},
                      .medianMs = 60,
                      .items = items,
                      .spans = {{0, upload, 0, 0, 0.025},
                                {1, upload, 0, 0.025, 0.045},
                                {0, kernel, 1, 0.025, 0.035},
                                {0, download, 2, 0.035, 0.045},
                                {1, kernel, 1, 0.045, 0.05},
                                {1, download, 2, 0.05, 0.06}},
                      .seconds = 0.06},
                     {.way = "managed", .status = Status::unsupported, .reason = "this GPU has no managed memory"}};
    return movement;
}

}  // namespace

TEST(MovementReport, holdsWaysAgainstTheFastestCopies) {
    const TransferBenchmark movement = sample();
    EXPECT_NEAR(linkOf(movement).up, 50, 1e-9);             // 1 GB in 20 ms
    EXPECT_NEAR(linkOf(movement).down, 0.5 / 0.006, 1e-9);  // 0.5 GB in 6 ms
    EXPECT_NEAR(floorOf(movement), 40, 1e-9);               // 2 GB up
    const TextTable table = movementTable(movement);
    EXPECT_EQ(table.rows[1],
              (std::vector<std::string>{"engines", "60.0", "33.3", "16.7", "15.0", "1.50", "bits equal"}));
    EXPECT_EQ(table.rows[2].back(), "unsupported: this GPU has no managed memory");
    EXPECT_THAT(movementText(movement), HasSubstr("2 pictures of 954 MiB through convolution, constant, on GPU"));
}

TEST(MovementReport, aRowIsATimelineOfItsEngines) {
    const auto timelines = timelinesOf(sample());
    ASSERT_EQ(timelines.size(), 2U) << "what did not run has none";
    EXPECT_EQ(timelines[1].name, "One stream per engine");
    const Timeline& timeline = timelines[1].timeline;
    ASSERT_EQ(timeline.stages.size(), 3U);
    EXPECT_EQ(timeline.stages[2].name, "download");
    EXPECT_EQ(timeline.clock, "the device's events");
    const auto shares = stageShares(timeline);
    EXPECT_EQ(shares[criticalOf(shares)].name, "upload");
    EXPECT_NEAR(shares[2].exposedSeconds, 0.01, 1e-12) << "the last download alone";
}

TEST(MovementReport, isADocumentAsTheSchemaSays) {
    const std::string json = toJson(sample());
    EXPECT_EQ(test::violation("movement", json), "");
    const auto document = nlohmann::json::parse(json);
    EXPECT_NEAR(document["floor_ms"].get<double>(), 40, 1e-9);
    EXPECT_TRUE(document["rows"][2]["median_ms"].is_null());
    EXPECT_EQ(document["rows"][1]["stages"][0]["name"], "upload");
}

}  // namespace warplens::gpu
