// SPDX-License-Identifier: Apache-2.0
// Every kernel keeps within the bound that it states, for sums of one to five terms of any magnitude: there the bound
// has the least room, and what a product lacks is all there is.
#include "gpu/families/product/tests/product_case.hpp"

#include <cmath>

namespace warplens::gpu::testing {
namespace {

/// Its low part as bf16 is as large as can be, and so is what both parts lack of it.
constexpr double kWorst = 1 + 0x1p-8 - 0x1p-17 - 0x1p-23;

std::shared_ptr<io::Grid> scaled(const io::Shape& shape, std::uint64_t seed, double size) {
    auto grid = signedNoise(shape, seed);
    float* const values = grid->as<float>();
    for (std::int64_t i = 0; i < shape.values(); ++i)
        values[i] = static_cast<float>((i % 3 == 0 ? kWorst : values[i]) * size);
    return grid;
}

class ProductBound : public ProductOnDevice {};

TEST_P(ProductBound, HoldsForAFewTermsOfAnyMagnitude) {
    for (const double left : {1e-44, 1e-38, 1e-30, 1e-6, 1.0, 777.7, 1e15})
        for (const double right : {1e-42, 1e-37, 1e-20, 1.0, 1e9})
            for (const int terms : {1, 2, 5})
                expectAllOk(scaled({terms, 18}, 3, left), times(scaled({17, terms}, 5, right)),
                            std::to_string(std::log10(left)) + " and " + std::to_string(std::log10(right)) +
                                " decades, terms " + std::to_string(terms));
}

TEST_P(ProductBound, HoldsForIntegersTimesTheWorst) {
    for (const auto type : {io::PixelType::u8, io::PixelType::u16})
        for (const int terms : {1, 2, 17})
            expectAllOk(noise({terms, 19}, type), times(scaled({18, terms}, 7, 1)), io::nameOf(type));
}

TEST_P(ProductBound, HoldsForFrequenciesOfFlatAndOfSparsePictures) {
    for (const double value : {0.1, 1.0 / 3, kWorst, 12345.678}) {
        auto flat = signedNoise({61, 40}, 3), sparse = signedNoise({61, 40}, 3);
        for (std::int64_t i = 0; i < flat->shape().values(); ++i) {
            flat->as<float>()[i] = static_cast<float>(value);
            sparse->as<float>()[i] = i % 997 == 5 || i / 61 == 33 ? static_cast<float>(value) : 0;
        }
        for (const int keep : {100, 40}) {
            expectAllOk(flat, frequencies(keep), "flat");
            expectAllOk(sparse, frequencies(keep), "sparse");
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Product, ProductBound, kDevices, nameOfDevice);

// Who checks the check of a row that runs on a GPU alone: TF32 takes for zero what is no normal number.
TEST(ProductTf32, MayFlushWhatIsNoNormalNumberAndNoMore) {
#if !WARPLENS_HAVE_CUDA
    GTEST_SKIP() << "what cuBLAS may lose is known where it is built";
#endif
    const Family& family = familyOf("product");
    const auto one = [](double value) {
        auto grid = std::make_shared<io::Grid>(io::Shape{1, 1}, io::PixelType::f32);
        grid->setValue(0, 0, 0, 0, value);
        return grid;
    };
    const double cut = (3 * 2 + 0x1.01p14) * 0x1p-23;
    for (const auto& [a, b, flushed] :
         {std::tuple{0x1p-130, 0x1p100, 0x1p-30}, std::tuple{-0x1p100, 0x1p-130, 0x1p-30},
          std::tuple{0x1p-70, 0x1p-60, 0.0}, std::tuple{0x1p-126, 0x1p100, 0.0}, std::tuple{3.0, 0.25, 0.0}}) {
        const auto problem = family.pose(one(a), times(one(b)));
        const auto mismatches = [&](const char* row, double value) {
            return problem->verify({.picture = one(value), .tables = {}}, variantOf(family, row), {}).mismatches;
        };
        const double bound = cut * std::fabs(a * b) + 3 * 0x1p-149 + flushed + 0x1p-126;
        for (const double sign : {1.0, -1.0}) {
            EXPECT_EQ(mismatches("cublas_tf32", a * b + sign * 0.5 * bound), 0) << a << " times " << b;
            EXPECT_EQ(mismatches("cublas_tf32", a * b + sign * 1.5 * bound), 1) << a << " times " << b;
            EXPECT_EQ(mismatches("cublas", a * b + sign * 0.5 * bound), 1) << "which flushes nothing";
        }
    }
}

TEST(ProductTensorCores, RefuseWhatIsNotFiniteOrTooLarge) {
    const auto said = [](double largest) {
        const Family& family = familyOf("product");
        const Variant& variant = variantOf(family, "tensor_cores");
        return family.pose(scaled({8, 8}, 3, largest), {})
            ->refusal(variant, resolve(variant, {}), openDevice("cpu")->info());
    };
    EXPECT_EQ(said(9e16), "");
    EXPECT_NE(said(1.01e17).find("not below 1e+17"), std::string::npos);
    EXPECT_NE(said(INFINITY).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace warplens::gpu::testing
