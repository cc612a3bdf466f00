// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/frame_store.hpp"

#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

// Whatever the bound and the stride: never more than it, the ends always there, the rest spread over the run.
TEST(FrameStore, StaysBelowItsBoundAndKeepsTheEnds) {
    const io::Shape shape{4, 4, 4, 1};
    const std::size_t one = io::Grid(shape, io::PixelType::f32).bytes();
    for (const std::size_t most : {2, 3, 5, 16})
        for (const std::int64_t stride : {1, 3, 50}) {
            FrameStore store(most * one);
            for (std::int64_t step = 0; step <= 200 * stride; step += stride) {
                store.add({step, "naive", std::make_shared<io::Grid>(shape, io::PixelType::f32)});
                ASSERT_LE(store.bytes(), store.bound());
                ASSERT_EQ(store.frames().front().step, 0);
                ASSERT_EQ(store.frames().back().step, step);
            }
            const auto& frames = store.frames();
            std::int64_t widest = 0;
            for (std::size_t i = 1; i < frames.size(); ++i) {
                ASSERT_LT(frames[i - 1].step, frames[i].step);
                widest = std::max(widest, frames[i].step - frames[i - 1].step);
                EXPECT_EQ(store.nearest(frames[i].step), i);
            }
            if (most > 4) {
                EXPECT_LE(widest, 200 * stride / 2) << most << " frames, stride " << stride;
            }
        }
}

TEST(FrameStore, TheNewestAgainReplacesIt) {
    FrameStore store;
    const auto field = [] { return std::make_shared<io::Grid>(io::Shape{2, 2, 1, 1}, io::PixelType::f32); };
    store.add({0, "naive", field()});
    store.add({1, "naive", field()});
    store.add({1, "tiled", field()});
    ASSERT_EQ(store.frames().size(), 2U);
    EXPECT_EQ(store.frames().back().variant, "tiled");
    store.clear();
    EXPECT_TRUE(store.empty());
    EXPECT_EQ(store.bytes(), 0U);
}

}  // namespace
}  // namespace warplens::gui
