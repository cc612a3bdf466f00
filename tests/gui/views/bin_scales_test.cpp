// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/axis.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

struct Span {
    double low, high, unit;
};
constexpr Span kSpans[] = {{0, 256, 1}, {0, 65536, 16}, {-32768, 32768, 256}, {-0.3, 1.7, 0.01}, {1e-7, 3e-7, 1e-9}};

TEST(ValueScale, PixelsAndValuesAreInverse) {
    for (const bool log : {false, true})
        for (const Span& s : kSpans) {
            const ValueScale scale(s.low, s.high, s.unit, log, 60, 660);
            EXPECT_NEAR(scale.x(s.low), 60, 1e-9);
            EXPECT_NEAR(scale.x(s.high), 660, 1e-9);
            for (double x = 60; x <= 660; x += 25) EXPECT_NEAR(scale.x(scale.value(x)), x, 1e-6) << s.low << ' ' << log;
        }
}

TEST(ValueScale, TicksRiseKeepApartAndStayInside) {
    for (const bool log : {false, true})
        for (const Span& s : kSpans)
            for (const double width : {200.0, 640.0, 1500.0}) {
                const ValueScale scale(s.low, s.high, s.unit, log, 0, width);
                const auto ticks = scale.ticks(64);
                ASSERT_GE(ticks.size(), 2U);
                for (std::size_t i = 0; i < ticks.size(); ++i) {
                    EXPECT_GE(ticks[i], s.low - 1e-9 * (s.high - s.low));
                    EXPECT_LE(ticks[i], s.high + 1e-9 * (s.high - s.low));
                    if (i > 0) {
                        EXPECT_GE(scale.x(ticks[i]) - scale.x(ticks[i - 1]), 63.9);
                    }
                }
            }
    const auto bytes = ValueScale(0, 256, 1, false, 0, 742).ticks(64);
    EXPECT_EQ(bytes, (std::vector<double>{0, 32, 64, 96, 128, 160, 192, 224, 256})) << "as the mock-up has it";
}

TEST(CountScale, OneIsAtTheBottomOfALogarithmicAxisAndZeroOfALinearOne) {
    const CountScale log(5000, true, 200, 20), linear(5000, false, 200, 20);
    EXPECT_EQ(log.y(1), 200);
    EXPECT_EQ(log.y(0), 200);
    EXPECT_EQ(linear.y(0), 200);
    for (const CountScale& scale : {log, linear}) {
        EXPECT_GT(scale.y(5000), 20) << "room above the highest";
        EXPECT_LT(scale.y(5000), 40);
        for (double n = 1; n < 5000; n *= 2) EXPECT_LT(scale.y(2 * n), scale.y(n));
    }
    EXPECT_NEAR(log.y(10) - log.y(100), log.y(100) - log.y(1000), 1e-9);
    EXPECT_EQ(log.ticks(30), (std::vector<double>{1, 10, 100, 1000}));
    EXPECT_EQ(CountScale(0, true, 100, 0).ticks(20).front(), 1) << "nothing counted";
}

}  // namespace
}  // namespace warplens::gui
