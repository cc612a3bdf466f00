// SPDX-License-Identifier: Apache-2.0
// movement: the same pictures in every way, as a table, a document and timelines.
#include "gpu/report/timeline.hpp"
#include "gpu/run/transfer_benchmark.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace warplens::test {

using testing::HasSubstr;

TEST(TransferBenchmark, writesADocumentAndATimelineOfEachWay) {
    const TemporaryFolder folder;
    const Outcome outcome =
        cli({"movement", "gen:noise:64x48:f32", "convolution", "--device", "cpu", "--variant", "constant", "--pictures",
             "3", "--samples", "1", "--json", "--timeline", folder / "t.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(violation("movement", outcome.out), "");
    const auto timelines = gpu::fromChromeTrace(readText(folder / "t.json"), "t.json");
    std::vector<std::string> drawn, able;
    for (const gpu::NamedTimeline& one : timelines) drawn.push_back(one.name);
    for (const gpu::TransferStrategy& way : gpu::movementWays())
        if (way.id != "null_stream") able.push_back(way.title);
    EXPECT_EQ(drawn, able) << "the CPU has no null stream";
}

TEST(TransferBenchmark, printsARowAWay) {
    const Outcome outcome = cli({"movement", "gen:noise:64x48:u8", "convolution", "--device", "cpu", "--ways",
                                 "ring,pinned", "--samples", "1", "--pictures", "2"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("2 pictures of 3 KiB through convolution"));
    EXPECT_THAT(outcome.out, HasSubstr("\nring "));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("managed")));
    EXPECT_THAT(outcome.out, HasSubstr("says nothing about a GPU"));
}

}  // namespace warplens::test
