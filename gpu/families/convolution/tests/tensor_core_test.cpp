// SPDX-License-Identifier: Apache-2.0
// What the tensor cores' row refuses: its products need finite values that bf16 holds, and a filter that was built.
#include "gpu/families/convolution/magnitude.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Magnitude, IsTheLargestWhereverItLies) {
    for (const auto& [value, magnitude] : {std::pair{-7.5, 7.5}, std::pair{7.5, 7.5}, std::pair{kInfinity, kInfinity},
                                           std::pair{-kInfinity, kInfinity}, std::pair{kNaN, kInfinity}}) {
        for (const std::int64_t x : {0, 1, 40'000, 149'999}) {  // more than one stretch of the search
            auto picture = noise({150'000, 1}, io::PixelType::f32);
            picture->setValue(x, 0, 0, 0, value);
            if (magnitude == kInfinity)
                picture->setValue((x + 70'000) % 150'000, 0, 0, 0, 1e30);  // and a finite one elsewhere
            EXPECT_EQ(convolution::Magnitude().of(*picture), static_cast<float>(magnitude)) << value << " at " << x;
        }
    }
    EXPECT_EQ(convolution::Magnitude().of(*noise({3, 3}, io::PixelType::u8)), 255);
    EXPECT_EQ(convolution::Magnitude().of(*noise({3, 3}, io::PixelType::u16)), 65535);
    io::Grid black({4, 4}, io::PixelType::f32);
    std::fill_n(black.as<float>(), 16, -0.0F);
    EXPECT_EQ(convolution::Magnitude().of(black), 0);
}

std::string refusalOf(const std::shared_ptr<const io::Grid>& picture, std::int64_t radius, int capability = 9) {
    DeviceInfo gpu = openDevice("cpu")->info();
    gpu.capabilityMajor = capability;
    if (capability < 9) gpu.kind = DeviceKind::cuda;
    const Family& family = familyOf("convolution");
    const Variant& variant = variantOf(family, "tensor_core");
    return family.pose(picture, {{"filter", std::string("box")}, {"radius", radius}})
        ->refusal(variant, resolve(variant, {}), gpu);
}

TEST(TensorCore, RefusesWhatItsProductsCannotHold) {
    for (const auto& [value, refused] :
         {std::pair{kNaN, true}, std::pair{kInfinity, true}, std::pair{-kInfinity, true}, std::pair{3.39e38, true},
          std::pair{-3.39e38, true}, std::pair{3.37e38, false}, std::pair{0.0, false}}) {
        auto picture = noise({40, 30}, io::PixelType::f32);
        picture->setValue(39, 29, 0, 0, value);
        const std::string said = refusalOf(picture, 2);
        EXPECT_EQ(contains(said, "values that are not finite, or not below"), refused) << value << ": " << said;
        EXPECT_EQ(said.empty(), !refused) << value << ": " << said;
    }
}

TEST(TensorCore, RefusesLargerFiltersAndOlderGpus) {
    const auto picture = noise({40, 30}, io::PixelType::u16);
    for (const std::int64_t radius : {0, 1, 4, 5, 7}) EXPECT_EQ(refusalOf(picture, radius), "") << radius;
    for (const std::int64_t radius : {8, 31})
        EXPECT_TRUE(contains(refusalOf(picture, radius), "larger than 15 x 15")) << radius;
    // Without CUDA in the program that comes first.
    const std::string older = refusalOf(picture, 2, 7);
    EXPECT_TRUE(contains(older, "needs compute capability 8.0") || contains(older, "built without the CUDA device"))
        << older;
}

/// Every size around the strips and stretches that marching warps have, widths that are padded among them, and weights
/// that two f16 can and cannot hold.
TEST(TensorCore, BytesAreRightWhereverTheirOwnKernelServes) {
    const auto expectRight = [](const io::Shape& shape, const ParameterValues& parameters, bool staged,
                                const std::string& what) {
        const auto input = noise(shape, io::PixelType::u8);
        for (const std::string& device : devicesHere()) {
            auto request = requestFor(input, parameters, device);
            request.variants = {"tensor_core"};
            request.tunables = {{"rows_per_thread", 32}};
            const auto comparison = Runner().run(request);
            ASSERT_EQ(comparison.runs.size(), 1U);
            const RunRecord& run = comparison.runs.front();
            if (lacksCode(run)) continue;
            ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            EXPECT_EQ(run.verification->mismatches, 0)
                << what << " on " << device << ": " << run.verification->firstMismatch;
        }
        const Family& family = familyOf("convolution");
        const auto problem = family.pose(input, parameters);
        const Variant& variant = variantOf(family, "tensor_core");
        EXPECT_EQ(problem->footprint(variant, resolve(variant, {})).staged, staged) << what;
    };
    for (const std::int64_t radius : {0, 1, 2, 3, 4, 5, 6, 7}) {
        for (int place = 0; const auto& [width, height] : std::vector<std::pair<int, int>>{{28, 1},
                                                                                           {28, 14},
                                                                                           {32, 15},
                                                                                           {124, 16},
                                                                                           {128, 31},
                                                                                           {132, 33},
                                                                                           {260, 47},
                                                                                           {24, 20},
                                                                                           {130, 40},
                                                                                           {131, 18},
                                                                                           {45, 9}}) {
            ++place;
            for (int b = 0; const char* border : {"zero", "replicate", "reflect", "wrap"}) {
                if (warplens::testing::skippedUnderSanitizer(static_cast<int>(radius) + place + b++)) continue;
                expectRight({width, height}, {{"radius", radius}, {"border", std::string(border)}}, width < 28,
                            std::to_string(width) + " x " + std::to_string(height) + " r" + std::to_string(radius) +
                                " " + border);
            }
        }
    }
    const auto custom = [](const char* matrix) {
        return ParameterValues{
            {"filter", std::string("custom")}, {"matrix", std::string(matrix)}, {"output-type", std::string("same")}};
    };
    expectRight({64, 40}, custom("0 0 0; 0 0 0; 0 0 0"), false, "zeros");
    expectRight({64, 40}, custom("1e5 -1e5 1"), false, "large sums saturate");
    expectRight({64, 40}, custom("-3 0.001 7.25; 1 -2 1; 0 0 -3.9"), false, "negative");
    expectRight({64, 40}, custom("1 1e-6 1"), true, "a span beyond 2^17");
    expectRight({64, 40}, custom("1e-30 1e-30 1e-30"), true, "too small");
    expectRight({64, 40}, custom("1; 2; 3; 4; 5; 6; 7; 8; 9; 8; 7; 6; 5; 4; 3"), false, "a column of 15");
}

TEST(TensorCore, TakesNoVolumeAndNamesTheRungBeforeIt) {
    const Family& family = familyOf("convolution");
    const auto problem = family.pose(noise({9, 8, 7}, io::PixelType::u8), {{"dimensions", std::string("3")}});
    const Variant& variant = variantOf(family, "tensor_core");
    EXPECT_EQ(problem->refusal(variant, resolve(variant, {}), openDevice("cpu")->info()),
              "two dimensions only: with 3 choose streamed");
}

}  // namespace
}  // namespace warplens::gpu::testing
