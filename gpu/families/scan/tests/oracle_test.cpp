// SPDX-License-Identifier: Apache-2.0
// What auto takes, beside loops of the definition's own over every size from 1 to 70 and primes up to a million, and
// beside OpenCV where it has the task. The family's own check has no part in it.
#include "gpu/families/scan/tests/scan_case.hpp"
#include "tests/support/sanitized.hpp"

#include <cstring>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

/// A channel of a picture, and sums over rectangles of it.
struct Plane {
    std::int64_t width, height;
    std::vector<double> values, sums;

    Plane(const io::Grid& grid, int channel) : width(grid.shape().width), height(grid.shape().height) {
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x) values.push_back(grid.value(x, y, 0, channel));
        sums.assign(static_cast<std::size_t>((width + 1) * (height + 1)), 0);
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                sum(x + 1, y + 1) = at(x, y) + sum(x, y + 1) + sum(x + 1, y) - sum(x, y);
    }
    double at(std::int64_t x, std::int64_t y) const { return values[static_cast<std::size_t>(y * width + x)]; }
    double& sum(std::int64_t x, std::int64_t y) { return sums[static_cast<std::size_t>(y * (width + 1) + x)]; }
    double sum(std::int64_t x, std::int64_t y) const { return sums[static_cast<std::size_t>(y * (width + 1) + x)]; }
    double over(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1) const {
        return sum(x1, y1) - sum(x0, y1) - sum(x1, y0) + sum(x0, y0);
    }
    double mean(std::int64_t x, std::int64_t y, std::int64_t radius) const {
        const auto x0 = std::max<std::int64_t>(0, x - radius), x1 = std::min(width, x + radius + 1);
        const auto y0 = std::max<std::int64_t>(0, y - radius), y1 = std::min(height, y + radius + 1);
        return over(x0, y0, x1, y1) / static_cast<double>((x1 - x0) * (y1 - y0));
    }
};

class ScanOracle : public ScanCase {
protected:
    Result resultOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                    const std::string& variant = kAuto) {
        auto request = scanRequest(input, values, GetParam());
        request.variants = {variant};
        const auto run = m_runner.run(request).runs.front();
        EXPECT_EQ(run.status, Status::ok) << describe(run);
        return run.result;
    }

    /// expected(plane, x, y), which integers meet exactly, modulo 2^32 where they are sums.
    template <class F>
    void expect(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values, const F& expected) {
        const auto made = resultOf(input, values).picture;
        ASSERT_NE(made, nullptr);
        for (int c = 0; c < input->shape().channels; ++c) {
            const Plane plane(*input, c);
            for (std::int64_t y = 0; y < plane.height; ++y)
                for (std::int64_t x = 0; x < plane.width; ++x) {
                    double want = expected(plane, x, y);
                    const double got = made->value(x, y, 0, c);
                    if (made->type() == PixelType::u32) want = std::fmod(want, 4294967296.0);
                    ASSERT_NEAR(got, want, made->type() == PixelType::f32 ? 2e-5 * std::fabs(want) + 1e-6 : 0)
                        << x << ", " << y << " of " << plane.width << " x " << plane.height;
                }
        }
    }

    void everyDefinition(const io::Shape& shape, PixelType type) {
        SCOPED_TRACE(std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " +
                     std::to_string(shape.channels) + ' ' + io::nameOf(type));
        const auto input = noise(shape, type, static_cast<std::uint64_t>(shape.width + 1));
        for (const bool before : {false, true}) {
            const std::string kind = before ? "exclusive" : "inclusive";
            const auto own = [before](const Plane& p, std::int64_t x, std::int64_t y) {
                return before ? p.at(x, y) : 0;
            };
            expect(input, runningSums("rows", kind), [&](const Plane& p, std::int64_t x, std::int64_t y) {
                return p.over(0, y, x + 1, y + 1) - own(p, x, y);
            });
            expect(input, runningSums("columns", kind), [&](const Plane& p, std::int64_t x, std::int64_t y) {
                return p.over(x, 0, x + 1, y + 1) - own(p, x, y);
            });
            expect(input, runningSums("values", kind), [&](const Plane& p, std::int64_t x, std::int64_t y) {
                return p.sum(p.width, y) + p.over(0, y, x + 1, y + 1) - own(p, x, y);
            });
        }
        expect(input, scanTask("integral"),
               [](const Plane& p, std::int64_t x, std::int64_t y) { return p.sum(x + 1, y + 1); });
        windows(input, type);
        kept(input, type);
        if (type != PixelType::f32) levels(input, type);
    }

private:
    void windows(const std::shared_ptr<const io::Grid>& input, PixelType type) {
        const std::int64_t radius = 1 + input->shape().width % 9;
        const auto mean = [radius](const Plane& p, std::int64_t x, std::int64_t y) { return p.mean(x, y, radius); };
        const auto boxed = resultOf(input, {{"task", std::string("box")}, {"radius", radius}}).picture;
        const double offset = type == PixelType::f32 ? 0.1 : 20;
        const auto mask =
            resultOf(input, {{"task", std::string("threshold")}, {"radius", radius}, {"offset", offset}}).picture;
        ASSERT_TRUE(boxed && mask);
        for (int c = 0; c < input->shape().channels; ++c) {
            if (c == 3) continue;  // alpha is kept
            const Plane plane(*input, c);
            for (std::int64_t y = 0; y < plane.height; ++y)
                for (std::int64_t x = 0; x < plane.width; ++x) {
                    const double want = mean(plane, x, y), value = plane.at(x, y);
                    const double slack = 2e-5 * std::fabs(want) + 1e-6;
                    ASSERT_NEAR(boxed->value(x, y, 0, c), want, slack + (boxed->type() == PixelType::f32 ? 0 : 0.5));
                    if (std::fabs(value - (want - offset)) <= slack) continue;  // the last digit decides
                    ASSERT_EQ(mask->value(x, y, 0, c) != 0, value > want - offset) << x << ", " << y;
                }
        }
    }

    void kept(const std::shared_ptr<const io::Grid>& input, PixelType type) {
        const double level = type == PixelType::u8 ? 127 : type == PixelType::u16 ? 32767 : 0.5;
        const auto result = resultOf(input, {{"task", std::string("compact")}, {"level", level}});
        ASSERT_FALSE(result.tables.empty());
        const Table& table = *result.tables.front();
        std::size_t row = 0;
        for (std::int64_t y = 0; y < input->shape().height; ++y)
            for (std::int64_t x = 0; x < input->shape().width; ++x)
                for (int c = 0; c < input->shape().channels; ++c) {
                    const double value = input->value(x, y, 0, c);
                    if (!(value > level)) continue;
                    ASSERT_LT(row, table.rows());
                    ASSERT_EQ(table.find("x")->number(row), static_cast<double>(x));
                    ASSERT_EQ(table.find("y")->number(row), static_cast<double>(y));
                    ASSERT_EQ(table.find("channel")->number(row), c);
                    ASSERT_EQ(table.find("value")->number(row), value);
                    ++row;
                }
        EXPECT_EQ(row, table.rows());
    }

    void levels(const std::shared_ptr<const io::Grid>& input, PixelType type) {
        // Tables of 65,536 bins are long for the SIMT device.
        if (type == PixelType::u16 && input->shape().width % 23 != 1) return;
        const ParameterValues clahe{
            {"task", std::string("clahe")}, {"clip", 2.0}, {"tiles", std::int64_t{type == PixelType::u8 ? 4 : 1}}};
        const auto ours = resultOf(input, clahe).picture, theirs = resultOf(input, clahe, "opencv").picture;
        ASSERT_TRUE(ours && theirs);
        EXPECT_EQ(std::memcmp(ours->data(), theirs->data(), theirs->bytes()), 0) << "clahe";
        const auto equal = resultOf(input, scanTask("equalise")).picture;
        ASSERT_NE(equal, nullptr);
        for (int c = 0; c < std::min(3, input->shape().channels); ++c) {
            const Plane plane(*input, c);
            const std::vector<int> table = equalising(plane, type == PixelType::u8 ? 256 : 65536);
            for (std::int64_t y = 0; y < plane.height; ++y)
                for (std::int64_t x = 0; x < plane.width; ++x)
                    ASSERT_EQ(equal->value(x, y, 0, c), table[static_cast<std::size_t>(plane.at(x, y))]) << "equalise";
        }
    }

    /// OpenCV's equalizeHist, with any number of bins: what lies below the lowest value that occurs counts for nothing.
    static std::vector<int> equalising(const Plane& plane, int bins) {
        std::vector<int> counts(static_cast<std::size_t>(bins)), table(counts.size());
        for (const double value : plane.values) ++counts[static_cast<std::size_t>(value)];
        std::size_t lowest = 0;
        while (counts[lowest] == 0) ++lowest;
        const auto others = static_cast<int>(plane.values.size()) - counts[lowest];
        if (others == 0) {
            table[lowest] = static_cast<int>(lowest);
            return table;
        }
        const float scale = static_cast<float>(bins - 1) / static_cast<float>(others);
        int sum = 0;
        for (std::size_t i = lowest + 1; i < counts.size(); ++i) {
            sum += counts[i];
            table[i] = static_cast<int>(std::nearbyint(static_cast<float>(sum) * scale));
        }
        return table;
    }
};

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
// The sanitizers look at accesses, which the registry tests have as well.
constexpr int kStep = warplens::testing::kSanitized ? 9 : 1;

// The SIMT device takes the types in turn, a GPU all of them.
TEST_P(ScanOracle, EverySizeUpTo70) {
    constexpr int kChannels[] = {1, 3, 4};
    for (int width = 1; width <= 70; width += kStep)
        for (int i = 0; i < 3; ++i)
            if (GetParam() != "cpu" || (width + width / 3) % 3 == i)
                everyDefinition({width, 1 + 7 * width % 70, 1, kChannels[(width + i) % 3]}, kTypes[i]);
}

TEST_P(ScanOracle, PrimesUpToAMillion) {
    if (warplens::testing::kSanitized) GTEST_SKIP() << "takes long under sanitizers, which look at accesses";
    for (const auto type : kTypes)
        for (const auto& shape : {io::Shape{101, 29}, io::Shape{1009, 1}, io::Shape{1, 1009}})
            everyDefinition(shape, type);
    for (int i = 0; i < 3; ++i) {
        const auto input = noise({i == 0 ? 999983 : i == 1 ? 99991 : 997, i == 2 ? 1009 : 1}, kTypes[i]);
        expect(input, runningSums("values"), [](const Plane& p, std::int64_t x, std::int64_t y) {
            return p.sum(p.width, y) + p.over(0, y, x + 1, y + 1);
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Scan, ScanOracle, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
