// SPDX-License-Identifier: Apache-2.0
// Kernels that are launched until they find nothing more to do.
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "tests/worker/own_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::worker::testing {
namespace {

using ::testing::HasSubstr;

const std::string kRow = "// A row of threads.\n// tunable block_width = 64 (64)\n// tunable block_height = 1 (1)\n";

/// A level of a flood from the list of the one before; `claims` says who has a pixel.
std::string frontierKernel(const std::string& claims) {
    return kRow +
           "__global__ void level(const pixel_t* in, int* out, const int* frontier, int frontier_size, int* next,\n"
           "                      int* changed, int step, int width, int height, float low, float high) {\n"
           "    int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (t >= frontier_size) return;\n"
           "    int p = frontier[t], x = p % width, y = p / width;\n"
           "    for (int k = 0; k < 4; ++k) {\n"
           "        int u = x + (k == 0) - (k == 1), v = y + (k == 2) - (k == 3), q = v * width + u;\n"
           "        if (u < 0 || u >= width || v < 0 || v >= height || in[q] < low || in[q] > high) continue;\n"
           "        " +
           claims + "\n    }\n}\n";
}
const std::string kClaims = "if (atomicCAS(&out[q], -1, step) == -1) next[atomicAdd(changed, 1)] = q;";

/// Least labels, each thread its own pixel; `line` follows the loop over the neighbours.
std::string labels(const std::string& line) {
    return "// Labels.\n__global__ void spread(const result_t* from, result_t* out, int* changed, int width, int "
           "height) "
           "{\n"
           "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
           "    if (x >= width || y >= height) return;\n"
           "    unsigned label = from[y * width + x], least = label;\n"
           "    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); ++v)\n"
           "        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); ++u)\n"
           "            if (from[v * width + u] != 0) least = min(least, from[v * width + u]);\n" +
           line + "\n    out[y * width + x] = least;\n}\n";
}

gpu::RunRecord counted(const std::string& text, const std::string& family, const std::string& picture) {
    gpu::Request request;
    request.input = std::make_shared<const io::Grid>(io::generate(picture));
    request.family = family;
    const auto problem = gpu::familyOf(family).pose(request.input, {});
    gpu::RunRecord record;
    record.family = family;
    const auto kernel = makeKernel("my_kernel.cuh", text);
    record.tunables = gpu::resolve(kernel->variant(), {});
    kernel->count({*problem, request, gpu::DeviceInfo{}}, 1, record, {});
    return record;
}

std::string refusal(const std::string& text, const std::string& family) {
    try {
        runKernel(text, family, {}, "gen:noise:9x5:u8");
    } catch (const gpu::Error& error) {
        return error.what();
    }
    return {};
}

TEST(ARepeatedKernel, TakesAFrontierThatGrows) {
    const gpu::RunRecord run = runKernel(frontierKernel(kClaims), "flood", {}, "gen:constant:40x31:u8");
    EXPECT_EQ(run.status, gpu::Status::ok) << run.reason;
    EXPECT_EQ(run.verification->mismatches, 0);
    // Nothing is reached where the seed itself is not a number: no launch at all.
    const gpu::RunRecord none = runKernel(frontierKernel(kClaims), "flood", {}, "gen:constant:9x5:f32:value=nan");
    EXPECT_EQ(none.status, gpu::Status::ok) << none.reason;
}

TEST(ARepeatedKernel, DoublesInAFrontierAreARace) {
    const gpu::RunRecord run =
        runKernel(frontierKernel("if (out[q] < 0) { out[q] = step; next[atomicAdd(changed, 1)] = q; }"), "flood", {},
                  "gen:constant:40x31:u8");
    EXPECT_EQ(run.status, gpu::Status::wrong);
    EXPECT_THAT(run.reason, HasSubstr("data race: level "));
    // Without a claim at all the list runs over.
    const gpu::RunRecord over =
        runKernel(frontierKernel("next[atomicAdd(changed, 1)] = q;"), "flood", {}, "gen:constant:9x5:u8");
    EXPECT_EQ(over.status, gpu::Status::wrong);
    EXPECT_THAT(over.reason, HasSubstr("beyond the end of next"));
}

TEST(ARepeatedKernel, EndsWhenNothingChanged) {
    const std::string spread = labels("    if (least != label) *changed = 1;");
    EXPECT_EQ(runKernel(spread, "components", {}, "gen:spiral:24x24:u8").status, gpu::Status::ok);
    const gpu::RunRecord ever = runKernel(labels("    *changed = 1;"), "components", {}, "gen:noise:24x24:u8");
    EXPECT_EQ(ever.status, gpu::Status::wrong);
    EXPECT_THAT(ever.reason, HasSubstr("which changed no value: set it only where a value becomes another"));
    // Once only.
    EXPECT_EQ(runKernel(labels(""), "components", {}, "gen:spiral:24x24:u8").status, gpu::Status::wrong);
}

TEST(ARepeatedKernel, WorksInPlaceByAtomics) {
    const std::string text =
        "// Each pixel tells its neighbours.\n"
        "__global__ void tell(unsigned* out, int* changed, int width, int height, int step) {\n"
        "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    if (x >= width || y >= height) return;\n"
        "    unsigned label = atomicMin(&out[y * width + x], 0xffffffffu);\n"
        "    if (label == 0 || step < 1) return;\n"
        "    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); ++v)\n"
        "        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); ++u)\n"
        "            if (atomicMin(&out[v * width + u], label) > label) *changed = 1;\n}\n";
    const gpu::RunRecord run = runKernel(text, "components", {}, "gen:noise:70x31:u8");
    EXPECT_EQ(run.status, gpu::Status::ok) << run.reason;
    // A neighbour's value of the same launch, without atomics.
    std::string racing = labels("    if (least != label) *changed = 1;");
    racing.replace(racing.find("min(least, from[v"), 17, "min(least, out[v");
    EXPECT_THAT(runKernel(racing, "components", {}, "gen:noise:70x31:u8").reason, HasSubstr("data race: spread"));
}

TEST(ARepeatedKernel, LaunchesAreNoRaceWithEachOther) {
    // Another block has the pixel in every launch.
    const std::string text =
        "// Moves on.\n"
        "__global__ void moves(unsigned* out, int* changed, int width, int height, int step) {\n"
        "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    if (x >= width || y >= height) return;\n"
        "    x = (x + 32 * step) % width;\n"
        "    out[y * width + x] = out[y * width + x] + step;\n"
        "    if (step < 4) *changed = 1;\n}\n";
    const gpu::RunRecord run = runKernel(text, "components", {}, "gen:noise:96x31:u8");
    EXPECT_TRUE(run.verification.has_value()) << run.reason;
    std::string racing = text;
    racing.replace(racing.find("= out[y * width + x]"), 20, "= out[y * width + (x + 32) % width]");
    EXPECT_THAT(runKernel(racing, "components", {}, "gen:noise:96x31:u8").reason, HasSubstr("data race: moves"));
}

TEST(ARepeatedKernel, IsCountedThroughAllLaunches) {
    // Of a constant picture of 40 x 31, whose centre is (20, 15), the corner (0, 0) is 35 steps away.
    const gpu::RunRecord run = counted(frontierKernel(kClaims), "flood", "gen:constant:40x31:u8");
    ASSERT_TRUE(run.counters) << run.reason;
    EXPECT_EQ(run.counters->findings.size(), 0U) << run.counters->findings.front().message;
    std::int64_t launches = 0;
    for (const auto& kernel : run.counters->kernels) launches += kernel.launches;
    EXPECT_EQ(launches, 36);
    EXPECT_EQ(run.counters->tracedShare, 1);
    // 1,240 pixels are listed once; the seed's place is given.
    EXPECT_EQ(run.counters->globalStore.lanes, 1239);
    const gpu::RunRecord spread =
        counted(labels("    if (least != label) *changed = 1;"), "components", "gen:noise:70x31:u8");
    ASSERT_TRUE(spread.counters) << spread.reason;
    EXPECT_EQ(spread.counters->findings.size(), 0U) << spread.counters->findings.front().message;
}

TEST(ARepeatedKernel, SaysWhatItsParametersAre) {
    std::string high = frontierKernel(kClaims);
    high.replace(high.find("block_height = 1 (1)"), 20, "block_height = 2 (2)");
    EXPECT_THAT(refusal(high, "flood"), HasSubstr("a frontier is one row of threads"));
    std::string lost = frontierKernel("if (atomicCAS(&out[q], -1, step) == -1) atomicAdd(changed, 1);");
    lost.erase(lost.find("int* next,"), 10);
    EXPECT_THAT(refusal(lost, "flood"), HasSubstr("it needs a parameter next (int*)"));
    std::string number = frontierKernel(kClaims);
    number.replace(number.find("int step"), 8, "float step");
    EXPECT_THAT(refusal(number, "flood"), HasSubstr("step is a 'int' here, not a 'float'"));
    EXPECT_THAT(refusal(labels(""), "convolution"), HasSubstr("there is no 'from' here"));
}

}  // namespace
}  // namespace warplens::worker::testing
