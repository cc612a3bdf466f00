// SPDX-License-Identifier: Apache-2.0
// Registry x device x matrix x type x channels x mask x extent: every kernel against a pixel's own formula in double.
#include "gpu/core/error.hpp"
#include "gpu/families/sparse/tests/sparse_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
const std::vector<std::string> kMatrices{"laplacian", "diffusion", "filter"};

std::string text(const io::Shape& s, PixelType type) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth) + " c" +
           std::to_string(s.channels) + " " + io::nameOf(type) + " ";
}

std::set<std::string> kernels() {
    std::set<std::string> ids;
    for (const Variant& variant : familyOf("sparse").variants())
        if (variant.kind == Variant::Kind::kernel) ids.insert(variant.id);
    return ids;
}

class SparseRegistry : public SparseOnDevice {};

// No kernel is lost on the way: all take every matrix, but for diagonals, which a mask destroys.
TEST_P(SparseRegistry, WhoTakesWhat) {
    const auto picture = noise({33, 17}, PixelType::u8);
    const auto ours = [](std::set<std::string> ok) {
        std::erase_if(ok, [](const std::string& id) { return !kernels().contains(id); });
        return ok;
    };
    for (const auto& matrix : kMatrices) EXPECT_EQ(ours(expectAllOk(picture, multiplied(matrix), matrix)), kernels());
    auto withMask = kernels();
    withMask.erase("diagonals");
    EXPECT_EQ(ours(expectAllOk(picture, masked(multiplied("laplacian"), randomMask({33, 17}, 0.5)), "mask")), withMask);
}

// Every width of 1 to 17 and primes beyond with every matrix, heights by turns.
TEST_P(SparseRegistry, EverySize) {
    std::vector<int> widths{19, 23, 29, 31, 32, 37, 64, 67, 128, 131};
    for (int n = 1; n <= 17; ++n) widths.push_back(n);
    for (const int width : widths) {
        const int height = 1 + (width * 7 + 3) % 17;
        const PixelType type = kTypes[width % 3];
        const io::Shape shape{width, height};
        for (const auto& matrix : kMatrices)
            expectAllOk(noise(shape, type), multiplied(matrix), text(shape, type) + matrix);
        expectAllOk(noise(shape, type), masked(multiplied("laplacian"), randomMask(shape, 1 - 0.1 * (width % 9))),
                    text(shape, type) + "mask");
    }
}

TEST_P(SparseRegistry, TypesChannelsVolumes) {
    for (const PixelType type : kTypes)
        for (const io::Shape shape :
             {io::Shape{13, 11, 1, 3}, io::Shape{8, 6, 1, 4}, io::Shape{7, 5, 4}, io::Shape{6, 9, 3, 3},
              io::Shape{1, 1, 5}, io::Shape{1, 6, 4}, io::Shape{2, 2, 2}}) {
            for (const auto& matrix : kMatrices)
                expectAllOk(noise(shape, type), multiplied(matrix), text(shape, type) + matrix);
            expectAllOk(noise(shape, type), masked(multiplied("laplacian"), randomMask(shape, 0.7)),
                        text(shape, type) + "mask");
        }
}

// From one unknown to all of them, and a row of unknowns in more than one block.
TEST_P(SparseRegistry, Masks) {
    const io::Shape shape{61, 37};
    const auto picture = noise(shape, PixelType::f32);
    for (const double share : {0.002, 0.1, 0.5, 0.9, 1.1})
        expectAllOk(picture, masked(multiplied("laplacian"), randomMask(shape, share)), std::to_string(share));
    // One slice's mask is every slice's.
    expectAllOk(noise({9, 8, 5}, PixelType::u8), masked(multiplied("laplacian"), randomMask({9, 8}, 0.5)), "slices");
}

TEST_P(SparseRegistry, EveryTunable) {
    const io::Shape shape{70, 41};
    for (const Variant& variant : familyOf("sparse").variants()) {
        if (variant.kind == Variant::Kind::library) continue;
        for (const Tunable& tunable : variant.tunables)
            for (const int choice : tunable.choices)
                for (const auto& matrix : {"laplacian", "filter"})
                    expectAllOk(noise(shape, PixelType::f32), multiplied(matrix),
                                variant.id + " " + tunable.id + " " + std::to_string(choice), {variant.id},
                                {{tunable.id, choice}});
    }
}

// What is not a number spreads to the neighbours, and nowhere else: places that fill up are not multiplied.
TEST_P(SparseRegistry, NotANumber) {
    auto picture = noise({40, 23}, PixelType::f32);
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(), 5e37F};
    for (int i = 0; i < 40 * 23; i += 37) picture->as<float>()[i] = odd[i % 4];
    for (const auto& matrix : kMatrices) expectAllOk(picture, multiplied(matrix), "odd " + matrix);
    expectAllOk(picture, masked(multiplied("laplacian"), randomMask({40, 23}, 0.6)), "odd, mask");
}

// Sums that leave the range of f32 depend on their order: such places are not compared, as in every family.
TEST_P(SparseRegistry, SumsBeyondTheRange) {
    auto picture = noise({40, 23}, PixelType::f32);
    for (int i = 0; i < 40 * 23; i += 7) picture->as<float>()[i] = i % 2 == 0 ? 3e38F : -3e38F;
    for (const auto& matrix : kMatrices) expectAllOk(picture, multiplied(matrix), "large " + matrix);
    expectAllOk(picture, masked(multiplied("laplacian"), randomMask({40, 23}, 0.6)), "large, mask");
}

// Alpha is left alone unless asked, whatever the format and with a mask as well.
TEST_P(SparseRegistry, AlphaIsKept) {
    const auto picture = noise({19, 11, 1, 4}, PixelType::u8);
    const auto mask = randomMask({19, 11}, 0.5);
    for (const auto& matrix : kMatrices)
        for (const bool marked : {false, true})
            for (const bool kept : {true, false}) {
                if (marked && matrix != "laplacian") continue;
                auto values = marked ? masked(multiplied(matrix), mask) : multiplied(matrix);
                values["alpha"] = std::string(kept ? "keep" : "filter");
                for (const auto& run : m_runner.run(requestOf(picture, values)).runs) {
                    if (run.status == Status::unsupported) continue;
                    ASSERT_EQ(run.status, Status::ok) << describe(run);
                    int same = 0;
                    for (int i = 0; i < 19 * 11; ++i)
                        same += run.result.picture->value(i % 19, i / 19, 0, 3) == picture->value(i % 19, i / 19, 0, 3);
                    EXPECT_EQ(same == 19 * 11, kept) << run.variant << " " << matrix;
                }
            }
}

// Edges below, at and above what a float can weigh.
TEST_P(SparseRegistry, Edges) {
    const auto picture = noise({31, 18}, PixelType::u8);
    for (const double k : {0.5, 9.0, 20.0, 1e5})
        for (const double step : {0.001, 0.25, 1.0}) {
            auto values = multiplied("diffusion");
            values["k"] = k;
            values["step"] = step;
            expectAllOk(picture, values, "k " + std::to_string(k));
        }
}

// Threads and blocks in any order give the same: a missing barrier or clearing would show.
TEST_P(SparseRegistry, AnyOrderOfThreads) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 2, 3}) {
        auto request =
            requestOf(noise({67, 25}, PixelType::u8), masked(multiplied("laplacian"), randomMask({67, 25}, 0.6)));
        request.scheduling.shuffleSeed = seed;
        for (const auto& run : m_runner.run(request).runs)
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
    }
}

// What stands in the table of formats, counted by hand: a picture of 4 x 3 has two rows of five nonzeros and ten of
// one.
TEST_P(SparseRegistry, TableOfFormats) {
    const std::map<std::string, std::int64_t> padded{
        {"coo", 0}, {"csr_scalar", 0}, {"ell", 12 * 5 - 20},   {"sliced_ell", 32 * 5 - 20}, {"diagonals", 12 * 5 - 20},
        {"csc", 0}, {"jds", 0},        {"dense", 12 * 12 - 20}};
    for (const auto& run : m_runner.run(requestOf(noise({4, 3}, PixelType::u8), multiplied("laplacian"))).runs) {
        if (!padded.contains(run.variant)) continue;
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const Table& table = *run.result.tables.front();
        EXPECT_EQ(table.integers("rows").front(), 12) << run.variant;
        EXPECT_EQ(table.integers("nonzeros").front(), 20) << run.variant;
        EXPECT_EQ(table.integers("padded").front(), padded.at(run.variant)) << run.variant;
        EXPECT_EQ(table.integers("dense_bytes").front(), 4 * 12 * 12) << run.variant;
        EXPECT_EQ(table.reals("share").front(), 13.89) << run.variant;
    }
}

// A format takes fewer bytes than a dense matrix where it is said to. Buffers end with a few integers more.
TEST_P(SparseRegistry, FormatsSaveWhereTheySay) {
    for (const int side : {1, 2, 3, 5, 12}) {
        const auto picture = noise({side, side}, PixelType::u8);
        const double n = side * side, outer = side < 3 ? n : 4 * side - 4, s = outer + 5 * (n - outer);
        const double k = side < 3 ? 1 : 5;
        const std::map<std::string, bool> saves{
            {"coo", s / n / n < 1.0 / 3},         {"csr_scalar", s / n / n < (1 - 1 / n) / 2},
            {"csc", s / n / n < (1 - 1 / n) / 2}, {"ell", k < n / 2},
            {"jds", 2 * s + n + k < n * n},       {"dense", false}};
        for (const auto& run : m_runner.run(requestOf(picture, multiplied("laplacian"))).runs) {
            if (!saves.contains(run.variant)) continue;
            const Table& table = *run.result.tables.front();
            const auto padding = run.variant == "coo" || run.variant == "jds" ? 3 * 28 : 2 * 28;
            const std::int64_t bytes = table.integers("bytes").front(), dense = table.integers("dense_bytes").front();
            EXPECT_EQ(dense, 4 * side * side * side * side);
            if (saves.at(run.variant)) {
                EXPECT_LT(bytes - 2 * padding, dense) << run.variant << side;
            } else {
                EXPECT_GE(bytes, dense - 12) << run.variant << side;
            }
        }
    }
}

TEST_P(SparseRegistry, RefusesWhatIsNoMask) {
    const auto picture = noise({12, 9}, PixelType::u8);
    const auto why = [&](const ParameterValues& values) {
        try {
            (void)familyOf("sparse").pose(picture, values);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    EXPECT_EQ(why(masked(multiplied("laplacian"), randomMask({12, 8}, 1))),
              "mask: 'mask' is 12 x 8, the picture 12 x 9: give a mask of the same extents");
    EXPECT_EQ(why(masked(multiplied("laplacian"), randomMask({12, 9}, 0))),
              "mask: 'mask' is nowhere above 0: there is no unknown; mark some pixels");
    EXPECT_EQ(why(masked(multiplied("filter"), randomMask({12, 9}, 1))),
              "mask: the filter is of every pixel: choose the laplacian, or no mask");
}

TEST_P(SparseRegistry, ALargePicture) {
    if (GetParam() == "cpu") GTEST_SKIP() << "8191 x 8209 is for the GPU: the SIMT device would take minutes";
    for (const auto& matrix : {"laplacian", "diffusion"})
        expectAllOk(noise({8191, 8209}, PixelType::f32), multiplied(matrix), matrix);
    expectAllOk(noise({8192, 8192}, PixelType::f32), masked(multiplied("laplacian"), randomMask({8192, 8192}, 0.5)),
                "mask");
}

INSTANTIATE_TEST_SUITE_P(Sparse, SparseRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
