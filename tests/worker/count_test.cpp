// SPDX-License-Identifier: Apache-2.0
// What is counted of a kernel of the user's.
#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"
#include "gpu/core/registry.hpp"
#include "tests/app/cli.hpp"
#include "tests/worker/own_kernel.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::worker::testing {
namespace {

gpu::RunRecord countKernel(const std::string& text, const std::string& picture = "gen:noise:64x48:f32",
                           std::int64_t sampleWords = 0) {
    gpu::Request request;
    request.input = std::make_shared<const io::Grid>(io::generate(picture));
    request.family = "convolution";
    request.parameters = {{"filter", std::string("identity")}};
    const auto problem = gpu::familyOf(request.family).pose(request.input, request.parameters);
    gpu::RunRecord record;
    record.family = request.family;
    const auto kernel = makeKernel("my_kernel.cuh", text);
    record.tunables = gpu::resolve(kernel->variant(), {});
    kernel->count({*problem, request, gpu::DeviceInfo{}}, sampleWords, record, {});
    return record;
}

TEST(CountedKernel, RequestsAndSectorsAreThoseOfTheLine) {
    const gpu::RunRecord run = countKernel(kernelWith(""));
    ASSERT_EQ(run.status, gpu::Status::ok) << run.reason;
    const gpu::Counters& counters = run.counters.value();
    // 32 x 8 threads a block; a warp reads and writes 128 bytes in a row.
    EXPECT_EQ(counters.globalLoad.requests, 64 * 48 / 32);
    EXPECT_EQ(counters.globalLoad.sectors, 64 * 48 / 8);
    EXPECT_EQ(counters.globalStore.sectors, 64 * 48 / 8);
    EXPECT_EQ(counters.inputReuse, 1);
    EXPECT_EQ(counters.tracedShare, 1);
    ASSERT_EQ(counters.lines.size(), 2U);
    EXPECT_EQ(counters.lines[0].file, "my_kernel.cuh");
    EXPECT_EQ(counters.lines[0].line, 6);
    EXPECT_EQ(counters.lines[0].kernel, "mine");
    ASSERT_EQ(counters.kernels.size(), 1U);
    EXPECT_EQ(counters.kernels[0].blocks, 2 * 6);
}

TEST(CountedKernel, SeesBanksBarriersAtomicsAndBranchesThroughFunctions) {
    const gpu::RunRecord run = countKernel(kernelWith(
        "    __shared__ float tile[32][32];\n    __shared__ int votes;\n"
        "    if (threadIdx.x == 0 && threadIdx.y == 0) votes = 0;\n    __syncthreads();\n"
        "    if (threadIdx.y == 0) fill(tile, threadIdx.x);\n    atomicAdd(&votes, 1);\n    __syncthreads();",
        "__device__ void fill(float (*tile)[32], int x) { tile[x][0] = 2.0f * x; }"));
    ASSERT_EQ(run.status, gpu::Status::ok) << run.reason;
    const gpu::Counters& counters = run.counters.value();
    EXPECT_EQ(counters.barriers, 2 * 12);
    EXPECT_EQ(counters.sharedStore.worst, 32);  // all lanes in one bank
    EXPECT_EQ(counters.sharedAtomics.lanes, 12 * 256);
    EXPECT_EQ(counters.blockContention, 256);
    EXPECT_GT(counters.divergentBranches, 0);
    EXPECT_GT(counters.flops, 0);
}

TEST(CountedKernel, SampleIsScaled) {
    const gpu::RunRecord run = countKernel(kernelWith(""), "gen:noise:640x480:f32", 20'000);
    ASSERT_EQ(run.status, gpu::Status::ok) << run.reason;
    EXPECT_LT(run.counters->tracedShare, 1);
    EXPECT_EQ(run.counters->globalLoad.sectors, 640 * 480 / 8);
}

TEST(CountedKernel, WhatIsFoundMakesItWrong) {
    const gpu::RunRecord race =
        countKernel(kernelWith("    __shared__ float tile[32];\n    tile[threadIdx.x] = x;\n    if (tile[(threadIdx.x "
                               "+ 1) % 32] < 0) return;"));
    EXPECT_EQ(race.status, gpu::Status::wrong);
    EXPECT_NE(race.reason.find("shared-race: "), std::string::npos) << race.reason;
    EXPECT_NE(race.reason.find("my_kernel.cuh:"), std::string::npos) << race.reason;
    EXPECT_TRUE(race.counters.has_value());

    const gpu::RunRecord parted = countKernel(kernelWith("    if (threadIdx.x < 7) __syncthreads();"));
    EXPECT_EQ(parted.status, gpu::Status::wrong);
    EXPECT_NE(parted.reason.find("my_kernel.cuh:5"), std::string::npos) << parted.reason;

    const gpu::RunRecord beyond = countKernel(kernelWith("    out[width * height + x] = 1;"));
    EXPECT_EQ(beyond.status, gpu::Status::wrong);
    EXPECT_NE(beyond.reason.find("out-of-bounds: "), std::string::npos) << beyond.reason;

    const gpu::RunRecord endless = countKernel(kernelWith("    volatile int i = 0;\n    while (i >= 0) i = 1;"));
    EXPECT_EQ(endless.status, gpu::Status::wrong);
    EXPECT_NE(endless.reason.find("endless loop: mine"), std::string::npos) << endless.reason;
    EXPECT_NE(endless.reason.find("my_kernel.cuh:"), std::string::npos) << endless.reason;
    EXPECT_FALSE(endless.counters.has_value());
}

// The trace counts the row itself, with hooks and memory of its own.
TEST(CountedKernel, ThatIsACopyCountsWhatItsRowDoes) {
    const test::TemporaryFolder folder;
    const auto call = [&](std::vector<std::string> arguments) {
        return test::cli(std::move(arguments), {{"XDG_CACHE_HOME", std::getenv("XDG_CACHE_HOME")}});
    };
    for (const auto& [family, row] : {std::pair<std::string, std::string>{"convolution", "tiled_output"},
                                      {"scan", "look_back"},
                                      {"elementwise", "vectorised"}}) {
        test::writeText(folder / "mine.cuh", call({"kernel", family, "--from", row}).out);
        const test::Outcome told = call(
            {"explain", "gen:noise:64x48:u8", family, "--variants", row, "--kernel", folder / "mine.cuh", "--json"});
        ASSERT_EQ(told.status, 0) << told.err;
        const auto runs = nlohmann::json::parse(told.out).at("runs");
        auto counters = runs.at(0).at("counters"), copied = runs.at(1).at("counters");
        for (auto* both : {&counters, &copied})  // files are called otherwise
            for (const char* named : {"lines", "branch_lines"}) both->erase(named);
        EXPECT_GT(counters.at("branches"), 0);
        EXPECT_EQ(counters, copied);
    }
}

}  // namespace
}  // namespace warplens::worker::testing
