// SPDX-License-Identifier: Apache-2.0
// Values far apart, infinities and NaN: a line of a projection, or a channel, is made of its own values and of nothing
// else, by every variant on every device.
#include "gpu/families/reduction/projection.hpp"
#include "gpu/families/reduction/tests/reduction_case.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <array>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMost = std::numeric_limits<float>::max(), kEps = 0x1p-24, kTiny = 0x1p-149;
constexpr double kExtremes[] = {1e16, 1e38, kMost, -kMost, kInfinity, -kInfinity, kNan};

double unit(std::uint64_t i) { return static_cast<double>(io::randomBits(5, i) >> 40) * 0x1p-24; }
double anySize(std::uint64_t i) { return (i % 2 == 0 ? 1 : -1) * std::pow(10, 76 * unit(i) - 38); }

std::shared_ptr<io::Grid> volumeOf(const io::Shape& shape, double (*made)(std::uint64_t)) {
    auto grid = std::make_shared<io::Grid>(shape, PixelType::f32);
    for (std::int64_t i = 0; i < shape.values(); ++i)
        grid->as<float>()[i] = static_cast<float>(made(static_cast<std::uint64_t>(i)));
    return grid;
}

/// A line without its NaN.
struct Line {
    long double sum = 0, magnitude = 0;
    double count = 0, low = kInfinity, high = -kInfinity;

    void add(double value) {
        if (std::isnan(value)) return;
        sum += value;
        magnitude += std::fabs(value);
        ++count;
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

class ReductionExtremes : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }
    void TearDown() override {
        if (m_values > 0)
            std::printf("[   COUNTS ] %s: %d rows, %lld figures\n", GetParam().c_str(), m_rows,
                        static_cast<long long>(m_values));
    }

    template <class F>
    void everyRow(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values, F judge) {
        for (const auto& run : m_runner.run(reductionRequest(input, values, GetParam())).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << run.variant;
                continue;
            }
            ASSERT_EQ(run.status, Status::ok) << run.variant << ": " << run.reason;
            ++m_rows;
            judge(run);
        }
    }
    void expectLines(const std::shared_ptr<const io::Grid>& input, int axis, const std::string& keep) {
        const char* const along[] = {"x", "y", "z"};
        everyRow(input, projected(along[axis], keep), [&](const RunRecord& run) {
            const io::Grid& made = *run.result.picture;
            const io::Shape &s = made.shape(), &from = input->shape();
            const std::int64_t length = std::array{from.width, from.height, from.depth}[static_cast<std::size_t>(axis)];
            for (std::int64_t y = 0; y < s.height; ++y)
                for (std::int64_t x = 0; x < s.width; ++x)
                    for (int c = 0; c < s.channels; ++c, ++m_values) {
                        Line line;
                        for (std::int64_t i = 0; i < length; ++i)
                            line.add(axis == 0   ? input->value(i, x, y, c)
                                     : axis == 1 ? input->value(x, i, y, c)
                                                 : input->value(x, y, i, c));
                        const double got = made.value(x, y, 0, c), n = keep == "mean" ? line.count : 1;
                        const double want = line.count == 0 && keep != "sum" ? kNan
                                            : keep == "maximum"              ? line.high
                                            : keep == "minimum"              ? line.low
                                                                             : static_cast<double>(line.sum / n);
                        const double bound = 2 * kEps * static_cast<double>(line.magnitude / n) + kTiny;
                        const bool beyond = std::fabs(want) > kMost;  // what f32 holds
                        const bool right = std::isnan(want) ? std::isnan(got)
                                           : beyond         ? got == std::copysign(kInfinity, want)
                                                            : std::fabs(got - want) <= bound;
                        ASSERT_TRUE(right) << run.variant << ' ' << keep << " at " << x << ", " << y << ": " << got
                                           << " instead of " << want;
                    }
        });
    }

    Runner m_runner;
    int m_rows = 0;
    std::int64_t m_values = 0;
};

TEST_P(ReductionExtremes, ReachNoOtherLine) {
    int number = 0;
    for (const double extreme : kExtremes)
        for (const io::Shape& shape : {io::Shape{65, 9, 5}, io::Shape{12, 70, 3, 3}, io::Shape{16, 8, 40}}) {
            const auto input = volumeOf(shape, unit);
            input->setValue(number % shape.width, number % shape.height, number % shape.depth, 0, extreme);
            const auto wild = volumeOf(shape, anySize);
            for (int axis = 0; axis < 3; ++axis)
                for (const char* keep : {"mean", "sum", "maximum", "minimum"}) {
                    expectLines(input, axis, keep);
                    if (number < 3) expectLines(wild, axis, keep);
                }
            ++number;
        }
}

// The sum is judged by magnitudes, the variance by the channel's own spread; both by figures made here.
TEST_P(ReductionExtremes, ReachNoOtherChannel) {
    for (const double extreme : kExtremes)
        for (const std::int64_t at : {0, 777, 2599}) {
            const auto input = volumeOf({130, 20, 1, 3}, unit);
            input->setValue(at % 130, at / 130, 0, 1, extreme);
            everyRow(input, {}, [&](const RunRecord& run) {
                const Table& table = *run.result.tables.front();
                for (int c = 0; c < 3; ++c, ++m_values) {
                    if (c == 1) continue;
                    Line line;
                    for (std::int64_t i = 0; i < 2600; ++i) line.add(input->value(i % 130, i / 130, 0, c));
                    const long double mean = line.sum / 2600;
                    long double squares = 0;
                    for (std::int64_t i = 0; i < 2600; ++i)
                        squares += std::pow(input->value(i % 130, i / 130, 0, c) - mean, 2);
                    const auto row = static_cast<std::size_t>(c);
                    const auto near = [&](const char* id, long double want) {
                        EXPECT_NEAR(table.reals(id)[row], static_cast<double>(want),
                                    8 * kEps * static_cast<double>(want))
                            << run.variant << ' ' << id << ' ' << extreme;
                    };
                    near("sum", line.sum);
                    near("mean", mean);
                    near("variance", squares / 2600);
                }
            });
        }
    everyRow(volumeOf({3001, 1}, anySize), {}, [](const RunRecord&) {});
    everyRow(volumeOf({3001, 1}, anySize), comparedWith(volumeOf({3001, 1}, unit)), [](const RunRecord&) {});
}

INSTANTIATE_TEST_SUITE_P(Reduction, ReductionExtremes, kDevices, nameOfDevice);

// Where large values cancel, what f64 loses of them is all that a line may be off by.
TEST(ReductionExtremesCheck, AllowsWhatF64LosesOfALineAndNoMore) {
    io::Grid input({3, 1, 1, 1}, PixelType::f32);
    std::ranges::copy(std::array{1e16F, -1e16F, 1.0F}, input.as<float>());
    for (const auto keep : {reduction::Keep::sum, reduction::Keep::mean})
        for (const double sign : {1.0, -1.0}) {
            const reduction::Projection projection{reduction::Axis::x, keep};
            const double parts = keep == reduction::Keep::mean ? 3 : 1, open = (3 + 1) * 0x1p-53 * 2e16 / parts;
            io::Grid output = projection.emptyFor(input);
            const auto mismatches = [&](double value) {
                output.setValue(0, 0, 0, 0, value);
                return reduction::verifyProjection(projection, input, output, {}).mismatches;
            };
            EXPECT_EQ(mismatches(1 / parts + sign * 0.6 * open), 0);
            EXPECT_EQ(mismatches(1 / parts + sign * 1.5 * open), 1);
        }
}

}  // namespace
}  // namespace warplens::gpu::testing
