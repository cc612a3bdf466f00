// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/filter.hpp"
#include "gui/lenses/convolution/filter_facts.hpp"
#include "gui/lenses/lens.hpp"

#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

// Of a filter in three dimensions the matrix is the middle slice, and the facts say how many there are.
TEST(FilterFacts, OfAVolumeShowTheMiddleSlice) {
    const gpu::ParameterValues values{
        {"filter", std::string("laplacian")}, {"radius", std::int64_t{1}}, {"dimensions", std::string("3")}};
    const auto facts = filterFacts(values);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->depth, 3);
    ASSERT_EQ(facts->weights.size(), 9U);
    const auto whole = gpu::convolution::makeFilter(values);
    EXPECT_TRUE(std::equal(facts->weights.begin(), facts->weights.end(), whole.weights.begin() + 9));
    EXPECT_NE(facts->weights[4], whole.weights[4]) << "the first slice is another";
    EXPECT_FALSE(facts->separable);
}

TEST(FilterFacts, SayWhatAFilterIs) {
    const auto gaussian = filterFacts({});
    ASSERT_TRUE(gaussian.has_value());
    EXPECT_EQ(gaussian->width, 5);
    EXPECT_NEAR(gaussian->sum, 1, 1e-6);
    EXPECT_TRUE(gaussian->separable);
    QString why;
    EXPECT_FALSE(filterFacts({{"filter", std::string("custom")}, {"matrix", std::string("1 2; 3")}}, &why).has_value());
    EXPECT_FALSE(why.isEmpty());
}

}  // namespace
}  // namespace warplens::gui
