// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/length.hpp"

#include "gpu/core/registry.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu {
namespace {

TEST(Length, IsANumberWithAUnit) {
    EXPECT_DOUBLE_EQ(millimetresOf("1.5um").value(), 0.0015);
    EXPECT_DOUBLE_EQ(millimetresOf("1.5 µm").value(), 0.0015);
    EXPECT_DOUBLE_EQ(millimetresOf("20nm").value(), 2e-5);
    EXPECT_DOUBLE_EQ(millimetresOf("-3e2mm").value(), -300);
    EXPECT_DOUBLE_EQ(millimetresOf("2cm").value(), 20);
    for (const char* none : {"", "3", "um", "3 m", "3px", "3mm ", "infmm", "3mm2"}) EXPECT_FALSE(millimetresOf(none));
}

TEST(Length, UnitIsMicrometresOfFinePixels) {
    io::Grid picture({4, 4, 2, 1}, io::PixelType::u8);
    EXPECT_STREQ(lengthUnitOf(picture).name, "px");
    picture.geometry.spacing = {0.5, 0.5, 0.05};
    EXPECT_STREQ(lengthUnitOf(picture).name, "µm");
    picture.geometry.spacing = {0.5, 0.5, 0.1};
    EXPECT_STREQ(lengthUnitOf(picture).name, "mm");
}

TEST(Length, IntegersAreTheNearestAndNeverOverflow) {
    const Parameter whole{.id = "r", .type = Parameter::Type::integer, .unit = "px"},
        real{.id = "s", .type = Parameter::Type::real, .unit = "px"};
    EXPECT_EQ(std::get<std::int64_t>(inPixels(whole, 1, 0.4)), 3);
    EXPECT_EQ(std::get<std::int64_t>(inPixels(whole, 1e300, 1e-9)), 1'000'000'000);
    EXPECT_DOUBLE_EQ(std::get<double>(inPixels(real, 1, 0.4)), 2.5);
}

// Every family's: a number in pixels is a length, and what counts something else has another unit.
TEST(Length, FamiliesSayWhatIsOne) {
    std::vector<std::string> lengths;
    for (const Family* family : families())
        for (const Parameter& parameter : family->parameters())
            if (isLength(parameter)) lengths.push_back(family->id() + ' ' + parameter.id);
    const std::vector<std::string> expected{"convolution radius",   "convolution sigma",     "rank radius",
                                            "bilateral radius",     "bilateral sigma-space", "scan radius",
                                            "nlmeans patch-radius", "nlmeans search-radius", "watershed tolerance"};
    EXPECT_EQ(std::multiset<std::string>(lengths.begin(), lengths.end()),
              std::multiset<std::string>(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace warplens::gpu
