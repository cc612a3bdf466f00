// SPDX-License-Identifier: Apache-2.0
// Registry x device x task x type x channels x extent: every kernel, and OpenCV's functions, against the definition in
// double precision.
#include "gpu/families/product/tests/product_case.hpp"

#include <limits>
#include <tuple>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kProductTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};

class ProductRegistry : public ProductOnDevice {
protected:
    /// How many kernels take a task.
    int kernelsOf(const ParameterValues& parameters, const io::Shape& shape) {
        const auto problem = familyOf("product").pose(noise(shape, PixelType::u8), parameters);
        int kernels = 0;
        for (const Variant& variant : familyOf("product").variants()) {
            if (variant.kind != Variant::Kind::kernel) continue;
            const DeviceInfo cpu = openDevice("cpu")->info();
            kernels += problem->refusal(variant, problem->resolved(variant, {}, cpu), cpu).empty();
        }
        return kernels;
    }
    void expectEach(const io::Shape& shape, PixelType type, const ParameterValues& parameters,
                    const std::string& what) {
        const auto input = type == PixelType::f32 ? signedNoise(shape, 3) : noise(shape, type, 5);
        const auto text = what + " " + std::to_string(shape.width) + "x" + std::to_string(shape.height) + "x" +
                          std::to_string(shape.depth) + " c" + std::to_string(shape.channels) + " " + io::nameOf(type);
        EXPECT_EQ(expectAllOk(input, parameters, text), kernelsOf(parameters, shape)) << text;
    }
};

// Every extent from 1 to 70 of each of the three sides, and so every remainder modulo 4, 8, 16, 32 and 64.
TEST_P(ProductRegistry, EveryExtentOfTheThreeSides) {
    for (int n = 1; n <= 70; ++n) {
        const int height = 27 * n % 71, columns = 44 * n % 71;
        const PixelType type = kProductTypes[n % 3];
        expectEach({n, height}, type, times(signedNoise({columns, n}, 7)), "times " + std::to_string(columns));
    }
}

TEST_P(ProductRegistry, PrimesAndTilesThatFitAndOneValueMoreOrLess) {
    for (const auto& [width, height, columns] : {std::tuple{1, 1, 1},
                                                 {1, 137, 131},
                                                 {131, 1, 257},
                                                 {257, 131, 1},
                                                 {128, 128, 128},
                                                 {127, 129, 257},
                                                 {33, 256, 128},
                                                 {16, 255, 129}})
        expectEach({width, height}, PixelType::f32, times(signedNoise({columns, width}, 11)), "primes");
}

TEST_P(ProductRegistry, TypesChannelsAndSlicesWithAFactorForAllOrOneForEach) {
    for (const PixelType type : kProductTypes) {
        for (const io::Shape& s :
             {io::Shape{19, 37, 1, 3}, io::Shape{36, 17, 1, 4}, io::Shape{21, 22, 3, 1}, io::Shape{20, 5, 2, 3}}) {
            expectEach(s, type, times(signedNoise({35, s.width}, 13)), "one factor");
            expectEach(s, type, times(noise({33, s.width, s.depth, s.channels}, PixelType::u8, 17)), "a factor each");
            expectEach(s, type, {}, "itself");
        }
    }
}

TEST_P(ProductRegistry, FrequenciesOfEveryType) {
    for (const auto& [width, height, keep] : {std::tuple{1, 1, 100},
                                              {2, 3, 50},
                                              {16, 16, 25},
                                              {37, 64, 30},
                                              {70, 51, 77},
                                              {64, 48, 100},
                                              {129, 66, 1},
                                              {31, 29, 100}})
        for (const PixelType type : kProductTypes) expectEach({width, height}, type, frequencies(keep), "dct");
    for (const PixelType type : kProductTypes) expectEach({26, 18, 2, 3}, type, frequencies(40), "dct");
}

// Dropping frequencies leaves alpha alone unless asked, and the colours are those without it.
TEST_P(ProductRegistry, AlphaIsKeptUnlessAsked) {
    const io::Shape shape{26, 18, 2, 4};
    for (const PixelType type : kProductTypes)
        for (const char* alpha : {"keep", "filter"}) {
            auto values = frequencies(40);
            values["alpha"] = std::string(alpha);
            expectEach(shape, type, values, alpha);
            const auto input = noise(shape, type, 5);
            for (const auto& run : m_runner.run(productRequest(input, values, GetParam())).runs) {
                if (run.status != Status::ok) continue;
                int changed = 0;
                for (std::int64_t i = 0; i < shape.pixels(); ++i) {
                    const std::int64_t x = i % 26, y = i / 26 % 18, z = i / 26 / 18;
                    changed += run.result.picture->value(x, y, z, 3) != input->value(x, y, z, 3);
                }
                EXPECT_EQ(changed > 0, std::string(alpha) == "filter") << run.variant << " " << io::nameOf(type);
            }
        }
}

// A row whose scratch does not fit is refused and says why; those that need none run.
TEST_P(ProductRegistry, ARowWithoutMemoryIsRefusedAndOthersRun) {
    auto request = productRequest(noise({64, 64}, PixelType::u8), bank(signedNoise({4, 4, 3}, 19)), GetParam());
    request.memoryCap = 64 * 64 * (1 + 3 * 4) + 4 * 16 * 4;
    int ran = 0;
    for (const auto& run : m_runner.run(request).runs) {
        ran += run.status == Status::ok && run.kind == Variant::Kind::kernel;
        if (run.variant != "im2col" || lacksCode(run)) continue;
        EXPECT_EQ(run.status, Status::unsupported) << describe(run);
        EXPECT_NE(run.reason.find("memory limit"), std::string::npos) << run.reason;
    }
    EXPECT_GE(ran, 1);
}

TEST_P(ProductRegistry, BanksOfEverySide) {
    for (const int side : {1, 2, 4, 5, 7, 8})
        for (const PixelType type : kProductTypes)
            expectEach({30 + side, 21}, type, bank(signedNoise({side, side, 3 + side}, 19)), "bank");
    for (const int side : {9, 11, 13, 17})
        expectEach({40, 35}, PixelType::f32, bank(signedNoise({side, side, 3}, 19)), "bank");
    // What is n x 3 x 3 in a file has three colours in memory.
    expectEach({23, 33}, PixelType::f32, bank(signedNoise({3, 70, 1, 3}, 23)), "bank of 3 x 3");
    expectEach({67, 35, 1, 3}, PixelType::u8, {{"task", std::string("bank")}}, "edges and lines");
}

TEST_P(ProductRegistry, ColoursOfEveryType) {
    const auto affine = signedNoise({4, 3}, 29);
    for (const PixelType type : kProductTypes) {
        for (const int channels : {3, 4}) {
            for (const int width : {1, 4, 7, 64, 133}) expectEach({width, 9, 1, channels}, type, colours(), "sepia");
            expectEach({37, 5, 3, channels}, type, {{"task", std::string("colours")}, {"with", named(affine)}},
                       "affine");
        }
    }
}

// Not a number and infinity stay in their rows and columns.
TEST_P(ProductRegistry, WhatIsNotFiniteStaysInItsRow) {
    auto input = signedNoise({45, 39}, 31);
    input->as<float>()[input->index(44, 3)] = std::numeric_limits<float>::infinity();
    input->as<float>()[input->index(43, 20)] = std::numeric_limits<float>::quiet_NaN();
    input->as<float>()[input->index(0, 38)] = -std::numeric_limits<float>::infinity();
    EXPECT_GE(expectAllOk(input, times(signedNoise({41, 45}, 37)), "not finite"), 4);
}

// Threads and blocks in any order give the same: a missing barrier would show.
TEST_P(ProductRegistry, AnyOrderOfThreads) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 2}) {
        for (const ParameterValues& parameters : {times(signedNoise({71, 45}, 41)), bank(signedNoise({5, 5, 9}, 43))}) {
            auto request = productRequest(noise({45, 77}, PixelType::u8), parameters, GetParam());
            request.scheduling.shuffleSeed = seed;
            EXPECT_GE(kernelsThatRan(request), 3);
        }
    }
}

TEST_P(ProductRegistry, LargeMatrices) {
    if (GetParam() == "cpu") GTEST_SKIP() << "2047 x 1029 is for the GPU: the SIMT device would take minutes";
    for (const PixelType type : kProductTypes)
        for (const int columns : {1023, 2048}) {
            auto request =
                productRequest(noise({2047, 1029}, type), times(signedNoise({columns, 2047}, 47)), GetParam());
            EXPECT_GE(kernelsThatRan(request), 10);
        }
}

INSTANTIATE_TEST_SUITE_P(Product, ProductRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
