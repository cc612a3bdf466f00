// SPDX-License-Identifier: Apache-2.0
// What auto takes, beside the place that each value must come from, spelled out a task; over every width from 1 to 70
// and primes up to a million. The family's own check has no part in it.
#include "gpu/families/layout/tests/layout_case.hpp"
#include "tests/support/sanitized.hpp"

#include <array>
#include <functional>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
// The sanitizers look at accesses, which the registry tests have as well.
constexpr int kStep = warplens::testing::kSanitized ? 9 : 1;

using PixelPlace = std::array<std::int64_t, 3>;  ///< x, y, z

class LayoutOracle : public LayoutOnDevice {
protected:
    /// from(place in the result) is the place in the input.
    void expectTurned(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                      const io::Shape& shape, const std::function<PixelPlace(const PixelPlace&)>& from) {
        auto request = layoutRequest(input, values, GetParam());
        request.variants = {kAuto};
        const auto run = m_runner.run(request).runs.front();
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const io::Grid& made = *run.result.picture;
        ASSERT_EQ(made.shape(), shape);
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                for (std::int64_t x = 0; x < shape.width; ++x) {
                    const PixelPlace at = from({x, y, z});
                    for (int c = 0; c < shape.channels; ++c)
                        ASSERT_EQ(made.value(x, y, z, c), input->value(at[0], at[1], at[2], c))
                            << x << ", " << y << ", " << z << " of " << shape.width << " x " << shape.height;
                }
    }

    void everyTurn(const io::Shape& s, PixelType type) {
        const auto input = noise(s, type, static_cast<std::uint64_t>(s.width + 1));
        const std::int64_t right = s.width - 1, bottom = s.height - 1;
        const io::Shape turned{s.height, s.width, s.depth, s.channels};
        expectTurned(input, task("copy"), s, [](const PixelPlace& p) { return p; });
        expectTurned(input, task("flip-x"), s, [=](const PixelPlace& p) {
            return PixelPlace{right - p[0], p[1], p[2]};
        });
        expectTurned(input, task("flip-y"), s, [=](const PixelPlace& p) {
            return PixelPlace{p[0], bottom - p[1], p[2]};
        });
        expectTurned(input, task("rotate180"), s, [=](const PixelPlace& p) {
            return PixelPlace{right - p[0], bottom - p[1], p[2]};
        });
        expectTurned(input, task("transpose"), turned, [](const PixelPlace& p) {
            return PixelPlace{p[1], p[0], p[2]};
        });
        // Clockwise: the first column, from the bottom up, becomes the first row.
        expectTurned(input, task("rotate90"), turned, [=](const PixelPlace& p) {
            return PixelPlace{p[1], bottom - p[0], p[2]};
        });
        expectTurned(input, task("rotate270"), turned, [=](const PixelPlace& p) {
            return PixelPlace{right - p[1], p[0], p[2]};
        });
        const std::int64_t x = s.width / 3, y = s.height / 4, w = (s.width - x + 1) / 2, h = (s.height - y + 1) / 2;
        expectTurned(input, crop(x, y, w, h), {w, h, s.depth, s.channels}, [=](const PixelPlace& p) {
            return PixelPlace{p[0] + x, p[1] + y, p[2]};
        });
        // Coronal slices of axial ones: the old y, z and x become z, y and x.
        expectTurned(input, reslice("yzx"), {s.width, s.depth, s.height, s.channels}, [](const PixelPlace& p) {
            return PixelPlace{p[0], p[2], p[1]};
        });
        expectTurned(input, reslice("xzy"), {s.height, s.depth, s.width, s.channels}, [](const PixelPlace& p) {
            return PixelPlace{p[2], p[0], p[1]};
        });
    }
};

TEST_P(LayoutOracle, EverySizeUpTo70) {
    constexpr int kChannels[] = {1, 3, 4};
    for (int width = 1; width <= 70; width += kStep)
        for (int i = 0; i < 3; ++i)
            everyTurn({width, 1 + 7 * width % 70, 1 + (width + i) % 3, kChannels[(width + i) % 3]}, kTypes[i]);
}

TEST_P(LayoutOracle, PrimesUpToAMillion) {
    if (warplens::testing::kSanitized) GTEST_SKIP() << "takes long under sanitizers, which look at accesses";
    for (const auto type : kTypes)
        for (const auto& shape : {io::Shape{101, 103}, io::Shape{1009, 7, 1, 3}, io::Shape{3, 10007}})
            everyTurn(shape, type);
    everyTurn({65537, 3}, PixelType::u8);
    everyTurn({5, 65521}, PixelType::u16);
    everyTurn({997, 1009}, PixelType::f32);
}

// Drawn on a larger picture of a batch: what of it lies in this one is kept, and said.
TEST_P(LayoutOracle, CropsWhatOfTheRectangleLiesInThePicture) {
    const auto input = noise({30, 20, 2, 3}, PixelType::u8, 5);
    const auto from = [](const PixelPlace& p) { return PixelPlace{p[0] + 10, p[1] + 5, p[2]}; };
    expectTurned(input, crop(10, 5, 50, 10), {20, 10, 2, 3}, from);
    expectTurned(input, crop(10, 5, 20, 4000), {20, 15, 2, 3}, from);
    const auto factsOf = [&](const ParameterValues& values) {
        auto request = layoutRequest(input, values, GetParam());
        request.variants = {kAuto};
        return ::testing::PrintToString(m_runner.run(request).facts);
    };
    EXPECT_NE(factsOf(crop(10, 5, 50, 10)).find("only 20 x 10 of 50 x 10 lie in the picture"), std::string::npos);
    EXPECT_EQ(factsOf(crop(10, 5, 20, 15)).find("only"), std::string::npos);
    for (const auto& outside : {crop(30, 0, 5, 5), crop(0, 20, 5, 5)}) {
        try {
            factsOf(outside);
            ADD_FAILURE() << "nothing is kept";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("lies in the picture of 30 x 20: crop it by itself"),
                      std::string::npos)
                << error.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Layout, LayoutOracle, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
