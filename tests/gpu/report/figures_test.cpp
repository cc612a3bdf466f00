// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/figures.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu {

TEST(Figures, threeSignificantDigits) {
    EXPECT_EQ(threeDigits(0), "0");
    EXPECT_EQ(threeDigits(0.1499), "0.150");
    EXPECT_EQ(threeDigits(1.3), "1.30");
    EXPECT_EQ(threeDigits(9.996), "10.0");
    EXPECT_EQ(threeDigits(26.94), "26.9");
    EXPECT_EQ(threeDigits(99.96), "100");
    EXPECT_EQ(threeDigits(929), "929");
    EXPECT_EQ(threeDigits(999.7), "1,000");
    EXPECT_EQ(threeDigits(4258.3), "4,258");
    EXPECT_EQ(threeDigits(-2.5), "\u22122.50");
    EXPECT_EQ(threeDigits(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(Figures, powersOfTenHaveNoMoreThanTheySay) {
    EXPECT_EQ(compact(1.19209e-7), "1.19e\u22127");
    EXPECT_EQ(compact(0.25), "0.25");
    EXPECT_EQ(compact(0), "0");
    EXPECT_EQ(compact(-123456, 2), "\u22121.2e+5");
    EXPECT_EQ(compact(1e-100), "1e\u2212100");
    EXPECT_EQ(scientific(2.466e-4), "2.47e\u22124");
    EXPECT_EQ(scientific(1), "1.00e+0");
}

TEST(Figures, thousands) {
    EXPECT_EQ(withCommas(0), "0");
    EXPECT_EQ(withCommas(999), "999");
    EXPECT_EQ(withCommas(1000), "1,000");
    EXPECT_EQ(withCommas(-1234567), "\u22121,234,567");
    EXPECT_EQ(withCommas(std::numeric_limits<std::int64_t>::min()), "\u22129,223,372,036,854,775,808");
}

TEST(Figures, sizes) {
    EXPECT_EQ(byteSize(48), "48 B");
    EXPECT_EQ(byteSize(4096), "4 KiB");
    EXPECT_EQ(byteSize(13926), "13.6 KiB");
    EXPECT_EQ(byteSize(std::int64_t{256} << 20), "256 MiB");
}

TEST(Figures, sharesNeverRoundUpToAll) {
    EXPECT_EQ(percent(1), "100 %");
    EXPECT_EQ(percent(0.9999), "99.9 %");
    EXPECT_EQ(percent(0.84), "84 %");
    EXPECT_EQ(percent(0.024), "2.4 %");
    EXPECT_EQ(percent(0), "0 %");
}

}  // namespace warplens::gpu
