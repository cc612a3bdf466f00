// SPDX-License-Identifier: Apache-2.0
#include "io/crop.hpp"

#include "io/error.hpp"
#include "io/generate.hpp"

#include <gtest/gtest.h>

namespace warplens::io {
namespace {

TEST(Crop, EveryValueOfEverySliceAndChannelIsTheOneThatWasThere) {
    for (const char* input : {"gen:noise:13x9x3:u8:c=4", "gen:noise:13x9:u16", "gen:noise:13x9x2:f32:c=3"}) {
        const Grid whole = generate(input), part = crop(whole, 5, 2, 7, 6);
        ASSERT_EQ(part.shape(), (Shape{7, 6, whole.shape().depth, whole.shape().channels}));
        EXPECT_EQ(part.type(), whole.type());
        for (std::int64_t z = 0; z < whole.shape().depth; ++z)
            for (std::int64_t y = 0; y < 6; ++y)
                for (std::int64_t x = 0; x < 7; ++x)
                    for (int c = 0; c < whole.shape().channels; ++c)
                        ASSERT_EQ(part.value(x, y, z, c), whole.value(x + 5, y + 2, z, c)) << input;
    }
}

TEST(Crop, KeepsItsPlaceInSpace) {
    Grid whole = generate("gen:noise:8x8x2:u8");
    whole.geometry.spacing = {0.5, 2, 3};
    whole.geometry.origin = {10, 20, 30};
    whole.geometry.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};  // x runs along the second axis, y against the first
    const Grid part = crop(whole, 4, 3, 2, 2);
    EXPECT_EQ(part.geometry.origin, (std::array<double, 3>{10 - 6, 20 + 2, 30}));
    EXPECT_EQ(part.geometry.spacing, whole.geometry.spacing);
}

TEST(Crop, RefusesWhatReachesOutside) {
    const Grid whole = generate("gen:noise:8x6:u8");
    EXPECT_NO_THROW(crop(whole, 0, 0, 8, 6));
    EXPECT_THROW(crop(whole, 1, 0, 8, 6), Error);
    EXPECT_THROW(crop(whole, 0, 1, 8, 6), Error);
    EXPECT_THROW(crop(whole, -1, 0, 2, 2), Error);
    EXPECT_THROW(crop(whole, 0, 0, 0, 2), Error);
}

}  // namespace
}  // namespace warplens::io
