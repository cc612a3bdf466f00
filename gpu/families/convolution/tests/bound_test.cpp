// SPDX-License-Identifier: Apache-2.0
// Every kernel keeps within the bound that it states, for filters of one to four taps of any magnitude: there the bound
// has the least room, and what a product lacks is all there is.
#include "gpu/families/convolution/tests/every_row.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warplens::gpu::testing {
namespace {

using Weights = std::vector<double>;

/// Its low part as bf16 is as large as can be, and so is what both parts lack of it.
constexpr double kWorst = 1 + 0x1p-8 - 0x1p-17 - 0x1p-23;

std::string textOf(const Weights& weights, const char* between) {
    std::string all;
    for (const double w : weights) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", w);
        all += (all.empty() ? "" : between) + std::string(text);
    }
    return all;
}

ParameterValues filterOf(const Weights& weights, bool column, const char* output) {
    return {{"filter", std::string("custom")},
            {"matrix", textOf(weights, column ? ";" : ",")},
            {"output-type", std::string(output)},
            {"offset", 0.0}};
}

/// Filters of one to four taps, their sizes alike or far apart, signs alike or mixed. An even number has a 0 besides.
std::vector<Weights> filters() {
    std::vector<Weights> all{{0.3061}, {0.1, 0.3061, 0.1}};
    for (const double size : {1e-30, 1e-17, 1e-6, 0.3061, kWorst, 777.7, 1e9, 1e19, 1e30}) {
        const double other = size * 0.7203, third = size * 1.9983;
        all.push_back({size});
        all.push_back({-size});
        all.push_back({size, 0, other});
        all.push_back({size, -other, 0});
        all.push_back({size, other, third});
        all.push_back({other, -size, third});
        all.push_back({size, other, 0, third, size});
        all.push_back({-size, 0, size, -third, other});
        // A tap beside which the others are next to nothing, or next to which all of the former is.
        all.push_back({std::max(1e-30, size * 1e-4), size, -std::max(1e-30, size * 1e-7)});
        all.push_back({1e-30, size, 1, -1e3, 0});
    }
    return all;
}

std::shared_ptr<io::Grid> scaled(std::shared_ptr<io::Grid> picture, double by) {
    float* const values = picture->as<float>();
    for (std::int64_t i = 0; i < picture->shape().values(); ++i)
        values[i] = static_cast<float>((i % 7 == 0 ? kWorst : values[i] - 0.25) * by);
    return picture;
}

class OwnBound : public EveryRow, public ::testing::WithParamInterface<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every kernel is right, and only those that need a separable filter may refuse.
    void expectRight(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                     const std::string& what) {
        for (const auto& run : m_runner.run(requestFor(input, parameters, GetParam())).runs) {
            if (run.kind == Variant::Kind::library) continue;
            if (run.status == Status::unsupported) {
                EXPECT_TRUE(lacksCode(run) || run.reason.find("not separable") != std::string::npos)
                    << what << ": " << describe(run);
                continue;
            }
            ASSERT_TRUE(run.verification) << what << ": " << describe(run);
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run) << "; error "
                                              << run.verification->maxAbsError << ", bound " << run.verification->bound;
            EXPECT_EQ(run.verification->checkedShare, 1.0) << what << ": " << describe(run);
        }
    }
};

TEST_P(OwnBound, HoldsForOneToFourTapsOfAnyMagnitude) {
    for (int place = 0; const Weights& weights : filters()) {
        ++place;
        for (const bool column : {false, true}) {
            if (column && weights.size() == 1) continue;
            for (int t = 0; const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
                if (warplens::testing::skippedUnderSanitizer(place + column + t++)) continue;
                auto input = noise({52, 19}, type);
                if (type == io::PixelType::f32) input = scaled(input, 1);
                for (const char* output : {"f32", "same"}) {
                    if (type == io::PixelType::f32 && output == std::string("same")) continue;
                    expectRight(input, filterOf(weights, column, output),
                                std::string(io::nameOf(type)) + " to " + output + (column ? ", column " : ", row ") +
                                    textOf(weights, " "));
                }
            }
        }
    }
}

TEST_P(OwnBound, HoldsForValuesOfAnyMagnitude) {
    for (const double size : {1e-44, 1e-40, 1e-38, 1e-36, 1e-34, 1e-20, 1e20, 1e36}) {
        const auto input = scaled(noise({52, 19}, io::PixelType::f32), size);
        for (const Weights& weights : {Weights{0.3061}, Weights{-kWorst}, Weights{0.1, 0.3061, 0.1},
                                       Weights{1e-30, 0, 4.1}, Weights{3.3, -1.7, 0, 0.2, kWorst}})
            expectRight(input, filterOf(weights, false, "f32"),
                        "values of " + std::to_string(std::log10(size)) + " decades: " + textOf(weights, " "));
    }
}

INSTANTIATE_TEST_SUITE_P(Convolution, OwnBound, kDevices, nameOfDevice);

TEST(TensorCore, RefusesWeightsAndSumsBeyondItsFormats) {
    const auto said = [](double largest, const Weights& weights) {
        const auto input = scaled(noise({28, 9}, io::PixelType::f32), largest / kWorst);
        const Family& family = familyOf("convolution");
        const Variant& variant = variantOf(family, "tensor_core");
        return family.pose(input, filterOf(weights, false, "f32"))
            ->refusal(variant, resolve(variant, {}), openDevice("cpu")->info());
    };
    EXPECT_EQ(said(1, {0, 0x1p-117, 1}), "") << "a weight of 0 is no small one";
    EXPECT_NE(said(1, {0, 0x1p-117 * 0.999, 1}).find("weights below 6e-36"), std::string::npos);
    EXPECT_EQ(said(1e30, {3.3e8}), "");
    EXPECT_NE(said(1e30, {3.4e8}).find("weights times values are not below 3.4e+38"), std::string::npos);
    EXPECT_NE(said(1e30, {-1.7e8, 0, 1.7e8}).find("weights times values"), std::string::npos) << "either sign adds";
    EXPECT_NE(said(1e-3, {3.4e38}).find("weights times values"), std::string::npos) << "a weight alone is too large";
}

}  // namespace
}  // namespace warplens::gpu::testing
