// SPDX-License-Identifier: Apache-2.0
// Kernels of users that are right, and those that are merely wrong.
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/user/starting_file.hpp"
#include "tests/worker/own_kernel.hpp"

#include <gtest/gtest.h>
#include <tuple>

namespace warplens::worker::testing {
namespace {

const std::string kConvolution = R"(// A thread a pixel.
__global__ void blur(const pixel_t* in, float* out, int width, int height, int radius,
                     const float* __restrict__ weights) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i) {
            int xx = x + i, yy = y + j;
            if (xx >= 0 && xx < width && yy >= 0 && yy < height)
                sum += weights[(j + radius) * (2 * radius + 1) + i + radius] * in[yy * width + xx];
        }
    out[y * width + x] = sum;
}
)";

const gpu::ParameterValues kGaussian{{"filter", std::string("gaussian")},
                                     {"radius", std::int64_t{2}},
                                     {"border", std::string("zero")},
                                     {"output-type", std::string("f32")}};

TEST(AKernelOfYours, IsVerifiedLikeAnyOther) {
    for (const char* picture : {"gen:noise:70x51:f32", "gen:noise:33x20:u8:c=3", "gen:noise:20x10x3:u16"}) {
        const gpu::RunRecord record = runKernel(kConvolution, "convolution", kGaussian, picture);
        EXPECT_EQ(record.status, gpu::Status::ok) << picture << ": " << record.reason;
        EXPECT_TRUE(record.yours);
        EXPECT_EQ(record.variant, "my_kernel");
        ASSERT_TRUE(record.verification.has_value());
        EXPECT_EQ(record.verification->mismatches, 0);
        EXPECT_EQ(record.verification->checkedShare, 1);
        EXPECT_TRUE(record.time.has_value());
    }
}

TEST(AKernelOfYours, WhenWrongLosesItsTimeAndNamesTheFirstPixel) {
    std::string text = kConvolution;
    text.replace(text.find("xx < width"), 10, "xx < width - 1");
    const gpu::RunRecord record = runKernel(text, "convolution", kGaussian);
    EXPECT_EQ(record.status, gpu::Status::wrong);
    EXPECT_FALSE(record.time.has_value());
    EXPECT_NE(record.reason.find("values are wrong, the first at x 45 y 0"), std::string::npos) << record.reason;
}

TEST(AKernelOfYours, SharesATileBetweenBarriers) {
    const std::string text = R"(// A tile with its halo.
// tunable block_width = 16 (8, 16)
// tunable block_height = 16 (8, 16)
__global__ void tiled(const float* in, float* out, int width, int height, const float* weights) {
    __shared__ float tile[block_height + 4][block_width + 4];
    int left = blockIdx.x * block_width - 2, top = blockIdx.y * block_height - 2;
    for (int j = threadIdx.y; j < block_height + 4; j += block_height)
        for (int i = threadIdx.x; i < block_width + 4; i += block_width) {
            int x = left + i, y = top + j;
            tile[j][i] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
        }
    __syncthreads();
    int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i) sum += weights[j * 5 + i] * tile[threadIdx.y + j][threadIdx.x + i];
    out[y * width + x] = sum;
}
)";
    for (const gpu::TunableValues& tunables : {gpu::TunableValues{}, gpu::TunableValues{{"block_width", 8}}}) {
        const gpu::RunRecord record = runKernel(text, "convolution", kGaussian, "gen:noise:70x51:f32", tunables);
        EXPECT_EQ(record.status, gpu::Status::ok) << record.reason;
        ASSERT_TRUE(record.launch.has_value());
        EXPECT_EQ(record.launch->block[0], tunables.empty() ? 16U : 8U);
    }
    std::string without = text;
    without.erase(without.find("    __syncthreads();"), 20);
    EXPECT_NE(runKernel(without, "convolution", kGaussian).reason.find("data race"), std::string::npos);
}

TEST(AKernelOfYours, RanksAndTurns) {
    const std::string smallest = R"(// The smallest of 3 x 3.
__global__ void erode(const unsigned char* in, unsigned char* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int least = 255;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            least = min(least, (int)in[min(max(y + j, 0), height - 1) * width + min(max(x + i, 0), width - 1)]);
    out[y * width + x] = least;
}
)";
    EXPECT_EQ(runKernel(smallest, "rank", {{"percentile", 0.0}}, "gen:noise:45x31:u8").status, gpu::Status::ok);
    const std::string transpose = R"(// Each output reads its column.
__global__ void turn(const float* in, float* out, int width, int height, int channels) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= height || y >= width) return;
    for (int c = 0; c < channels; ++c) out[(c * width + y) * height + x] = in[(c * height + x) * width + y];
}
)";
    const gpu::RunRecord turned =
        runKernel(transpose, "layout", {{"task", std::string("transpose")}}, "gen:noise:45x31:f32:c=3");
    EXPECT_EQ(turned.status, gpu::Status::ok) << turned.reason;
}

TEST(AKernelOfYours, BegunFromThePlainOneOfItsTaskIsVerified) {
    const gpu::ParameterValues step{{"iterations", std::int64_t{1}}};
    for (const auto& [family, values, picture] :
         {std::tuple{"convolution", gpu::ParameterValues{{"border", std::string("reflect")}}, "gen:noise:33x20:u8"},
          {"convolution", {{"border", std::string("wrap")}, {"radius", std::int64_t{3}}}, "gen:noise:40x5:f32"},
          {"rank", {{"border", std::string("replicate")}}, "gen:noise:33x20:u16"},
          {"nlmeans", {{"search-radius", std::int64_t{2}}, {"strength", 30.0}, {"noise", 5.0}}, "gen:noise:33x20:u16"},
          {"nlmeans", {{"search-radius", std::int64_t{1}}, {"strength", 30.0}}, "gen:noise:9x20:f32"},
          {"stencil", step, "gen:noise:33x20:u8:c=3"},
          {"elementwise", {{"task", std::string("exposure")}}, "gen:noise:33x20:u16:c=4"},
          {"elementwise", {{"task", std::string("scale")}, {"gain", 2.0}, {"offset", 0.5}}, "gen:noise:33x20:f32"},
          {"product", {}, "gen:noise:33x20:u8"},
          {"reduction", {{"along", std::string("x")}, {"keep", std::string("sum")}}, "gen:noise:33x20:f32"},
          {"reduction", {{"along", std::string("y")}, {"keep", std::string("mean")}}, "gen:noise:33x20:u8"},
          {"reduction", {{"along", std::string("x")}, {"keep", std::string("maximum")}}, "gen:noise:33x20:u16:c=3"},
          {"scan", {{"along", std::string("rows")}}, "gen:noise:33x20:u8"},
          {"scan", {{"along", std::string("columns")}, {"kind", std::string("exclusive")}}, "gen:noise:33x20:f32:c=3"},
          {"merge", {}, "gen:noise:33x21:f32"},
          {"merge", {}, "gen:noise:33x20:u8:c=3"},
          {"histogram", {}, "gen:noise:33x20:u8:c=3"},
          {"histogram", {{"bins", std::int64_t{16}}}, "gen:noise:33x20:u16"},
          {"bilateral", {{"border", std::string("wrap")}}, "gen:noise:33x20:u8:c=3"},
          {"bilateral", {{"radius", std::int64_t{2}}}, "gen:noise:33x20:f32"},
          {"resample", {}, "gen:noise:33x20:u8:c=3"},
          {"resample", {{"magnification", 1.7}, {"method", std::string("lanczos")}}, "gen:noise:33x20:f32"},
          {"distance", {}, "gen:noise:33x20:u8:c=3"},
          {"distance", {{"level", 0.1}, {"squared", true}}, "gen:noise:33x20:f32"},
          {"distance", {{"level", -1.0}}, "gen:noise:9x20:u16"},
          {"sparse", {}, "gen:noise:33x20:u8:c=3"},
          {"sparse", {{"matrix", std::string("filter")}}, "gen:noise:33x20:u16"},
          {"sparse", {{"matrix", std::string("diffusion")}}, "gen:noise:33x20:f32"},
          {"binary", {}, "gen:coins:64x48:u8"},
          {"binary", {{"task", std::string("skeleton")}}, "gen:coins:64x48:f32"},
          {"watershed", {{"tolerance", 0.3}}, "gen:noise:33x20:u8"},
          {"watershed", {{"level", 0.6}}, "gen:coins:64x48:f32"},
          {"components", {}, "gen:noise:33x20:u8"},
          {"components", {{"connectivity", std::string("4")}}, "gen:blobs:64x48:u16"},
          {"flood", {{"seeds", std::string("1,1;31,19")}}, "gen:maze:33x21:u8"},
          {"flood", {{"seeds", std::string("3,3")}, {"tolerance", 0.8}}, "gen:noise:33x20:f32"},
          {"flood",
           {{"seeds", std::string("3,3")}, {"tolerance", 90.0}, {"connectivity", std::string("8")}},
           "gen:noise:33x20:u8"}}) {
        const gpu::Family& of = gpu::familyOf(family);
        const auto input = std::make_shared<const io::Grid>(io::generate(picture));
        const auto problem = of.pose(input, values);
        const std::string text = gpu::user::startingFile(of, *problem, values, gpu::user::Start::plain);
        const gpu::RunRecord record = runKernel(text, family, values, picture);
        EXPECT_EQ(record.status, gpu::Status::ok) << family << ": " << record.reason << "\n" << text;
        EXPECT_EQ(record.verification->checkedShare, 1) << family;
    }
}

TEST(AKernelOfYours, BegunAsACopyStaysWithinItsResult) {
    const gpu::ParameterValues half{{"method", std::string("nearest")}}, twice{{"magnification", 2.0}};
    for (const gpu::ParameterValues& values : {half, twice}) {
        const gpu::Family& of = gpu::familyOf("resample");
        const auto problem = of.pose(std::make_shared<const io::Grid>(io::generate("gen:noise:33x20:u8")), values);
        const std::string text = gpu::user::startingFile(of, *problem, values, gpu::user::Start::copy);
        const gpu::RunRecord record = runKernel(text, "resample", values, "gen:noise:33x20:u8");
        EXPECT_EQ(record.status, gpu::Status::wrong);
        EXPECT_TRUE(record.verification.has_value()) << record.reason;
    }
}

TEST(AKernelOfYours, TalksWithinItsWarpAndByAtomics) {
    const std::string text = R"(// Each value goes round its warp and comes back.
__global__ void round(const float* in, float* out, int width, int height) {
    __shared__ unsigned count;
    if (threadIdx.x == 0 && threadIdx.y == 0) count = 0;
    __syncthreads();
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float value = x < width && y < height ? in[y * width + x] : 0;
    value = __shfl_sync(0xffffffffu, value, (threadIdx.x + 1) % 32);
    value = __shfl_sync(0xffffffffu, value, (threadIdx.x + 31) % 32);
    atomicAdd(&count, 1u);
    __syncthreads();
    if (x < width && y < height && count == blockDim.x * blockDim.y) out[y * width + x] = value;
}
)";
    const gpu::RunRecord record = runKernel(text, "convolution", {{"filter", std::string("identity")}});
    EXPECT_EQ(record.status, gpu::Status::ok) << record.reason;
}

TEST(AKernelOfYours, LoadsFourFloatsAtOnceWhereTheyLieTogether) {
    const std::string packs = R"(// Four values a thread.
// tunable columns_per_thread = 4 (4)
__global__ void packs(const float* in, float* out, int width, int height) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float4 v = *reinterpret_cast<const float4*>(in + y * width + x);
    v.x = -v.x;
    v.x = -v.x;
    *reinterpret_cast<float4*>(out + y * width + x) = v;
}
)";
    const gpu::ParameterValues identity{{"filter", std::string("identity")}};
    EXPECT_EQ(runKernel(packs, "convolution", identity, "gen:noise:64x5:f32").status, gpu::Status::ok);
    const gpu::RunRecord odd = runKernel(packs, "convolution", identity, "gen:noise:62x5:f32");
    EXPECT_EQ(odd.status, gpu::Status::wrong);
    EXPECT_NE(odd.reason.find("misaligned address: packs"), std::string::npos) << odd.reason;
}

TEST(AKernelOfYours, IsRefusedWhereOneLaunchCannotDoIt) {
    const gpu::RunRecord twoPasses = runKernel(kConvolution, "rank", {{"task", std::string("open")}});
    EXPECT_EQ(twoPasses.status, gpu::Status::unsupported);
    EXPECT_NE(twoPasses.reason.find("two passes"), std::string::npos) << twoPasses.reason;
    const gpu::RunRecord colours = runKernel(kConvolution, "watershed", {}, "gen:noise:16x16:u8:c=3");
    EXPECT_EQ(colours.status, gpu::Status::unsupported);
    EXPECT_NE(colours.reason.find("take a picture of one channel"), std::string::npos) << colours.reason;
}

}  // namespace
}  // namespace warplens::worker::testing
