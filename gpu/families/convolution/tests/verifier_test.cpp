// SPDX-License-Identifier: Apache-2.0
// Who checks the check: results are made wrong on purpose, by a little more and a little less than the bound, value by
// value. What is right, and by how much it may be off, is worked out here once more, from the definition.
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/families/convolution/verify.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

struct Place {
    std::int64_t x, y, z;
    int c;
};

void forPlaces(const io::Shape& s, int channels, const std::function<void(const Place&)>& visit) {
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < channels; ++c) visit({x, y, z, c});
}

/// A picture, a filter with the border 0, and what should come out.
struct Case {
    std::shared_ptr<io::Grid> input;
    convolution::Filter filter;
    double offset = 0;
    int channels = 1;  ///< filtered ones

    const io::Shape& shape() const { return input->shape(); }
    convolution::Verifier verifier() const { return {input, filter, Border::zero, offset, channels}; }
    /// The weighted sum around a place, and that of the terms' magnitudes.
    std::pair<double, double> sumAt(const Place& p) const {
        double value = offset, magnitude = std::fabs(offset);
        for (int k = 0; k < filter.depth; ++k) {
            for (int j = 0; j < filter.height; ++j) {
                for (int i = 0; i < filter.width; ++i) {
                    const double w =
                        filter.weights[static_cast<std::size_t>((k * filter.height + j) * filter.width + i)];
                    const std::int64_t x = p.x + i - filter.width / 2, y = p.y + j - filter.height / 2,
                                       z = p.z + k - filter.depth / 2;
                    const auto& s = shape();
                    if (w == 0 || x < 0 || y < 0 || z < 0 || x >= s.width || y >= s.height || z >= s.depth) continue;
                    value += w * input->value(x, y, z, p.c);
                    magnitude += std::fabs(w * input->value(x, y, z, p.c));
                }
            }
        }
        return {value, magnitude};
    }
    double boundAt(const Place& p, const convolution::Bound& allowed) const {
        const double taps = static_cast<double>(filter.weights.size());
        return allowed.factor * ((taps + 1) * 0x1p-23 * sumAt(p).second + taps * 0x1p-149) + allowed.absolute;
    }
    /// The right result, channels that are kept included.
    io::Grid right() const {
        io::Grid output(shape(), io::PixelType::f32);
        forPlaces(shape(), shape().channels, [&](const Place& p) {
            output.setValue(p.x, p.y, p.z, p.c, p.c < channels ? sumAt(p).first : input->value(p.x, p.y, p.z, p.c));
        });
        return output;
    }
};

convolution::Filter filterOf(int width, int height, int depth) {
    convolution::Filter filter{width, height, {}, depth};
    for (int i = 0; i < width * height * depth; ++i) filter.weights.push_back(0.1F * static_cast<float>(i % 5 - 1));
    filter.weights[0] = 0.7F;
    return filter;
}

std::vector<Case> smallCases() {
    return {{noise({9, 7}, io::PixelType::f32), filterOf(3, 3, 1), 0, 1},
            {noise({6, 5, 1, 3}, io::PixelType::f32), filterOf(5, 1, 1), 3, 3},
            {noise({5, 6, 1, 4}, io::PixelType::f32), filterOf(1, 3, 1), 0, 3},
            {noise({5, 4, 6}, io::PixelType::u16), filterOf(3, 3, 1), 0, 1},
            {noise({5, 4, 6, 4}, io::PixelType::f32), filterOf(3, 3, 3), 0, 3},
            {noise({4, 4}, io::PixelType::u8), filterOf(1, 1, 1), 0, 1}};
}

TEST(ConvolutionVerifier, FindsOneAndAHalfBoundsAnywhereAndNeverHalfOfOne) {
    for (const Case& test : smallCases()) {
        const convolution::Verifier verifier = test.verifier();
        // A library's and a tensor core's bounds are wider by what they say, no more.
        for (const convolution::Bound& allowed : {convolution::Bound{}, convolution::Bound{64, 0},
                                                  convolution::Bound{1, 1e-3}, convolution::Bound{3.5, 1e-4}}) {
            io::Grid off = test.right();
            EXPECT_EQ(verifier.verify(off, {}, allowed).mismatches, 0);
            EXPECT_EQ(verifier.verify(off, {}, allowed).checkedShare, 1.0);
            const auto shift = [&](const Place& p, double bounds) {
                off.setValue(p.x, p.y, p.z, p.c, test.sumAt(p).first + bounds * test.boundAt(p, allowed));
            };
            forPlaces(test.shape(), test.channels,
                      [&](const Place& p) { shift(p, (p.x + p.y) % 2 == 0 ? 0.5 : -0.5); });
            const auto within = verifier.verify(off, {}, allowed);
            EXPECT_EQ(within.mismatches, 0) << within.firstMismatch;
            EXPECT_NEAR(within.maxAbsError, 0.5 * within.bound, 0.1 * within.bound);
            forPlaces(test.shape(), test.channels, [&](const Place& p) {
                if (test.sumAt(p).second == 0 && allowed.absolute == 0) return;  // the bound is next to nothing
                for (const double bounds : {1.5, -1.5}) {
                    shift(p, bounds);
                    const auto found = verifier.verify(off, {}, allowed);
                    ASSERT_EQ(found.mismatches, 1) << p.x << ' ' << p.y << ' ' << p.z << ' ' << p.c;
                    EXPECT_EQ(found.firstMismatch.find("x " + std::to_string(p.x) + " y " + std::to_string(p.y) + " "),
                              0U)
                        << found.firstMismatch;
                    EXPECT_NE(found.firstMismatch.find("channel " + std::to_string(p.c) + ":"), std::string::npos);
                }
                shift(p, 0);
            });
        }
    }
}

TEST(ConvolutionVerifier, AChannelThatIsKeptIsKeptToTheLastBit) {
    for (const Case& test : smallCases()) {
        if (test.channels == test.shape().channels) continue;
        const convolution::Verifier verifier = test.verifier();
        io::Grid off = test.right();
        forPlaces(test.shape(), 1, [&](const Place& p) {
            const auto before = static_cast<float>(test.input->value(p.x, p.y, p.z, 3));
            off.setValue(p.x, p.y, p.z, 3, std::nextafter(before, 2.0F));
            EXPECT_EQ(verifier.verify(off, {}).mismatches, 1);
            off.setValue(p.x, p.y, p.z, 3, before);
        });
    }
}

TEST(ConvolutionVerifier, AnIntegerLiesHalfALevelAndTheBoundFromTheUnroundedValue) {
    for (const auto type : {io::PixelType::u8, io::PixelType::u16}) {
        const int level = type == io::PixelType::u8 ? 200 : 40000;
        auto input = std::make_shared<io::Grid>(io::Shape{5, 4, 1, 1}, type);
        forPlaces(input->shape(), 1, [&](const Place& p) { input->setValue(p.x, p.y, 0, 0, level); });
        const double bound = 2 * 0x1p-23 * (level + 0.5);
        for (const auto& [bounds, wrong] : {std::pair{0.5, false}, std::pair{1.5, true}, std::pair{-0.5, false}}) {
            // The exact result is level + offset; both levels beside it are half a level away, but for `bounds`.
            const Case test{input, convolution::Filter{}, 0.5 + bounds * bound, 1};
            const convolution::Verifier verifier = test.verifier();
            io::Grid off = input->clone();
            EXPECT_EQ(verifier.verify(off, {}).mismatches, wrong ? 20 : 0);
            forPlaces(input->shape(), 1, [&](const Place& p) { off.setValue(p.x, p.y, 0, 0, level + 1); });
            EXPECT_EQ(verifier.verify(off, {}).mismatches, 0);
            forPlaces(input->shape(), 1, [&](const Place& p) {
                for (const int distant : {level - 1, level + 2}) {
                    off.setValue(p.x, p.y, 0, 0, distant);
                    EXPECT_EQ(verifier.verify(off, {}).mismatches, 1);
                }
                off.setValue(p.x, p.y, 0, 0, level + 1);
            });
        }
        // Beyond the type's range its end is right, and nothing beside it.
        const int top = type == io::PixelType::u8 ? 255 : 65535;
        for (const auto& [offset, end, beside] :
             {std::tuple{1e5, top, top - 1}, std::tuple{-1e5, 0, 1}, std::tuple{top - level + 0.4, top, top - 1}}) {
            const convolution::Verifier verifier = Case{input, convolution::Filter{}, offset, 1}.verifier();
            io::Grid off = input->clone();
            forPlaces(input->shape(), 1, [&](const Place& p) { off.setValue(p.x, p.y, 0, 0, end); });
            EXPECT_EQ(verifier.verify(off, {}).mismatches, 0);
            off.setValue(4, 3, 0, 0, beside);
            EXPECT_EQ(verifier.verify(off, {}).mismatches, 1);
        }
    }
}

TEST(ConvolutionVerifier, NotANumberAndInfinityMustAgreeInClassAndPlace) {
    constexpr double kEndless = std::numeric_limits<double>::infinity(),
                     kNone = std::numeric_limits<double>::quiet_NaN();
    auto input = noise({6, 5}, io::PixelType::f32);
    const Place places[] = {{0, 0, 0, 0}, {5, 4, 0, 0}, {2, 3, 0, 0}, {4, 1, 0, 0}};
    const double classes[] = {kNone, kEndless, -kEndless, 0.25};
    for (std::size_t i = 0; i < 4; ++i) input->setValue(places[i].x, places[i].y, 0, 0, classes[i]);
    const convolution::Verifier verifier = Case{input, convolution::Filter{}, 0, 1}.verifier();
    io::Grid off = input->clone();
    EXPECT_EQ(verifier.verify(off, {}).mismatches, 0);
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            off.setValue(places[i].x, places[i].y, 0, 0, classes[j]);
            EXPECT_EQ(verifier.verify(off, {}).mismatches, i == j ? 0 : 1) << i << " as " << j;
        }
        off.setValue(places[i].x, places[i].y, 0, 0, classes[i]);
    }
    // Where single precision may overflow on the way nothing is compared, and the share says so.
    auto large = noise({5, 2}, io::PixelType::f32);
    large->setValue(3, 1, 0, 0, 3e38);
    const convolution::Filter two{1, 1, {2.0F}, 1};
    io::Grid doubled = large->clone();
    forPlaces(large->shape(), 1,
              [&](const Place& p) { doubled.setValue(p.x, p.y, 0, 0, 2 * large->value(p.x, p.y, 0, 0)); });
    const auto seen = Case{large, two, 0, 1}.verifier().verify(doubled, {});
    EXPECT_EQ(seen.mismatches, 0);
    EXPECT_DOUBLE_EQ(seen.checkedShare, 0.9);
}

/// Which of n columns, rows or slices a check looks at: those where a wrong line is found.
std::vector<std::int64_t> lookedAt(std::int64_t n, const std::function<std::int64_t(std::int64_t)>& mismatchesOf) {
    std::vector<std::int64_t> seen;
    for (std::int64_t i = 0; i < n; ++i)
        if (mismatchesOf(i) > 0) seen.push_back(i);
    return seen;
}

/// The first and the last of each run of neighbours.
std::vector<std::int64_t> endsOf(const std::vector<std::int64_t>& list) {
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool first = i == 0 || list[i - 1] + 1 < list[i],
                   last = i + 1 == list.size() || list[i] + 1 < list[i + 1];
        if (first || last) ends.push_back(list[i]);
    }
    return ends;
}

/// Pictures so costly that tiles are sampled; a few weights alone are not 0.
void expectSampled(const io::Shape& shape, int side, int depth) {
    convolution::Filter filter{side, side, std::vector<float>(static_cast<std::size_t>(side * side * depth)), depth};
    filter.weights[filter.weights.size() / 2] = 0.75F;
    filter.weights[filter.weights.size() / 2 + 1] = -0.5F;
    const Case test{noise(shape, io::PixelType::f32), filter, 0, shape.channels};
    const convolution::Verifier verifier = test.verifier();
    const io::Grid right = test.right();
    const auto fine = verifier.verify(right, {});
    EXPECT_EQ(fine.mismatches, 0) << fine.firstMismatch;
    const auto wrongWhere = [&](const std::function<bool(const Place&)>& wrong) {
        io::Grid off = right.clone();
        forPlaces(shape, shape.channels, [&](const Place& p) {
            if (wrong(p)) off.setValue(p.x, p.y, p.z, p.c, 9);
        });
        return verifier.verify(off, {}).mismatches;
    };
    const auto columns = lookedAt(shape.width, [&](auto i) { return wrongWhere([&](auto& p) { return p.x == i; }); });
    const auto rows = lookedAt(shape.height, [&](auto i) { return wrongWhere([&](auto& p) { return p.y == i; }); });
    const auto slices = lookedAt(shape.depth, [&](auto i) { return wrongWhere([&](auto& p) { return p.z == i; }); });
    ASSERT_FALSE(columns.empty() || rows.empty() || slices.empty());
    for (const auto& [list, last] :
         {std::pair{columns, shape.width - 1}, std::pair{rows, shape.height - 1}, std::pair{slices, shape.depth - 1}}) {
        EXPECT_EQ(list.front(), 0);
        EXPECT_EQ(list.back(), last);
    }
    for (std::int64_t z = 0; z < std::min<std::int64_t>(depth / 2, shape.depth); ++z) {
        EXPECT_TRUE(std::ranges::find(slices, z) != slices.end() &&
                    std::ranges::find(slices, shape.depth - 1 - z) != slices.end())
            << z;
    }
    // The share is of all values, and everything in it is looked at.
    const auto checked = static_cast<std::int64_t>(columns.size() * rows.size() * slices.size()) * shape.channels;
    EXPECT_LT(checked, shape.values());
    EXPECT_DOUBLE_EQ(fine.checkedShare, static_cast<double>(checked) / static_cast<double>(shape.values()));
    EXPECT_EQ(wrongWhere([](auto&) { return true; }), checked);
    io::Grid off = right.clone();
    for (const auto z : slices) {
        for (const auto y : endsOf(rows)) {
            for (const auto x : endsOf(columns)) {
                for (int c = 0; c < shape.channels; ++c) {
                    const Place p{x, y, z, c};
                    const double error = 1.5 * test.boundAt(p, {});
                    if (error < 1e-6) continue;  // a value of noise next to 0
                    off.setValue(x, y, z, c, test.sumAt(p).first + error);
                    ASSERT_EQ(verifier.verify(off, {}).mismatches, 1) << x << ' ' << y << ' ' << z << ' ' << c;
                    off.setValue(x, y, z, c, test.sumAt(p).first);
                }
            }
        }
    }
}

TEST(ConvolutionVerifier, SampledTilesCoverWhatTheySayUpToTheirEdges) {
    expectSampled({190, 70, 1, 3}, 63, 1);
    expectSampled({140, 90, 40}, 7, 7);
    if (warplens::testing::kSanitized) return;  // a minute there, of the same lines
    expectSampled({250, 211}, 63, 1);
    expectSampled({47, 2000}, 63, 1);
}

}  // namespace
}  // namespace warplens::gpu::testing
