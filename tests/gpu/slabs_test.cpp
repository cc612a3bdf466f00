// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/slabs.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/share_out.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace warplens::gpu::testing {
namespace {

TEST(SlabPlan, CoversEverySliceOnceWithinTheBudget) {
    for (std::int64_t depth = 1; depth <= 40; ++depth) {
        for (std::int64_t halo = 0; halo <= 3; ++halo) {
            const auto bytesFor = [&](std::int64_t n) { return 100 + 10 * (n + 2 * halo) + 7 * n; };
            for (std::int64_t budget = bytesFor(1); budget <= bytesFor(depth) + 20; budget += 5) {
                const auto plan = planSlabs(depth, halo, budget, bytesFor, "cpu");
                ASSERT_LE(plan.bytes, budget);
                ASSERT_EQ(plan.bytes, bytesFor(plan.slices));
                std::int64_t next = 0;
                for (std::int64_t i = 0; i < plan.count(); ++i) {
                    ASSERT_EQ(plan.at(i).first, next);
                    ASSERT_GE(plan.at(i).slices, 1);
                    ASSERT_LE(plan.at(i).slices, plan.slices);
                    next += plan.at(i).slices;
                }
                ASSERT_EQ(next, depth);
                // One slab fewer would have to be too large.
                if (plan.count() > 1) {
                    const auto larger = (depth + plan.count() - 2) / (plan.count() - 1);
                    ASSERT_GT(bytesFor(larger), budget) << depth << " halo " << halo << " budget " << budget;
                }
            }
        }
    }
}

TEST(SlabPlan, HasAPartForEveryDeviceWhereThereAreAsManySlices) {
    const auto bytesFor = [](std::int64_t n) { return n; };
    for (std::int64_t depth = 1; depth <= 30; ++depth) {
        for (std::int64_t parts = 1; parts <= 9; ++parts) {
            for (const std::int64_t budget : {1, 3, 100}) {
                const SlabPlan plan = planSlabs(depth, 0, budget, bytesFor, "cpu", 2, parts);
                ASSERT_LE(plan.slices, std::min(budget, (depth + parts - 1) / parts));
                ASSERT_GE(plan.count() * plan.slices, depth);
                if (budget == 100) {
                    // As few as that allows: nobody computes more than the longest part.
                    ASSERT_LE(plan.count(), parts) << depth << " slices, " << parts << " parts";
                    ASSERT_EQ(plan.slices, (depth + parts - 1) / parts);
                }
            }
        }
    }
}

/// Every thing once, each worker in one place at a time, and each has one where there are enough.
TEST(ShareOut, DoesEveryThingOnceAndGivesEveryWorkerSome) {
    for (std::size_t workers = 1; workers <= 6; ++workers) {
        for (std::int64_t count = 0; count <= 13; ++count) {
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(count)), inside(workers), times(workers);
            const auto here = std::this_thread::get_id();
            parallelForEach(workers, count, [&](std::size_t worker, std::int64_t thing) {
                EXPECT_EQ(inside[worker]++, 0);
                EXPECT_EQ(std::this_thread::get_id() == here, worker == 0);
                ++done[static_cast<std::size_t>(thing)];
                ++times[worker];
                --inside[worker];
            });
            for (const auto& one : done) ASSERT_EQ(one, 1);
            for (std::size_t worker = 0; worker < workers; ++worker)
                ASSERT_EQ(times[worker] > 0, static_cast<std::int64_t>(worker) < count) << worker << " of " << workers;
        }
    }
}

TEST(ShareOut, AFasterWorkerDoesMore) {
    std::atomic<int> fast{0};
    parallelForEach(2, 20, [&](std::size_t worker, std::int64_t) {
        if (worker == 1) ++fast;
        while (worker == 0 && fast < 19) std::this_thread::yield();  // until the other one has done all the rest
    });
    EXPECT_EQ(fast, 19);
}

TEST(ShareOut, AFailureEndsItAndTheFirstOneIsTold) {
    std::atomic<int> begun{0}, failing{0};
    try {
        parallelForEach(3, 100, [&](std::size_t, std::int64_t thing) {
            ++begun;
            if (thing >= 3) return;
            ++failing;
            while (failing < 3) std::this_thread::yield();  // all three fail
            throw Error(Error::Kind::fault, std::to_string(thing));
        });
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "0");
    }
    EXPECT_EQ(begun, 3);
}

TEST(SlabPlan, SaysWhatItWillDo) {
    EXPECT_EQ((SlabPlan{.depth = 1024, .slices = 171, .halo = 1, .bytes = 980'000'000}.sentence()),
              "6 slabs of 171 slices, halo 1, 980 MB on the device");
    EXPECT_EQ((SlabPlan{.depth = 3, .slices = 1, .halo = 0, .bytes = 512}.sentence()),
              "3 slabs of 1 slice, halo 0, 512 bytes on the device");
    EXPECT_EQ((SlabPlan{.depth = 3, .slices = 1, .halo = 0, .bytes = 512, .axis = 1, .overlapped = true}.sentence()),
              "3 slabs of 1 row, halo 0, 512 bytes on the device, overlapped");
}

TEST(SlabPlan, TooLittleMemorySaysHowMuchIsNeeded) {
    try {
        planSlabs(
            10, 2, 499, [](std::int64_t n) { return 100 * (n + 4); }, "cuda:0");
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::outOfMemory);
        EXPECT_EQ(std::string(error.what()),
                  "cuda:0: one slice with a halo of 2 needs 500 bytes and 499 may be used: raise the memory limit to "
                  "500 bytes, or crop it to 99 % of its pixels");
    }
    EXPECT_EQ(planSlabs(
                  10, 2, 500, [](std::int64_t n) { return 100 * (n + 4); }, "cuda:0")
                  .slices,
              1);
}

TEST(SlabSlices, ComeFromWhereTheBorderSays) {
    io::Grid grid(io::Shape{1, 1, 3}, io::PixelType::u8);
    for (int z = 0; z < 3; ++z) grid.setValue(0, 0, z, 0, z + 1);
    const auto from = [&](Border border) {
        Scratch staging;
        const auto* slices = slicesFrom(grid, -4, 12, border, staging);
        std::string text;
        for (int i = 0; i < 12; ++i) text += std::to_string(std::to_integer<int>(slices[i]));
        return text;
    };
    EXPECT_EQ(from(Border::zero), "000012300000");
    EXPECT_EQ(from(Border::replicate), "111112333333");
    EXPECT_EQ(from(Border::reflect), "123212321232" + std::string()) << "1 2 3 2 1 2 3 ...";
    EXPECT_EQ(from(Border::wrap), "312312312312" + std::string()) << "1 2 3 1 2 3 ...";
    Scratch staging;
    EXPECT_EQ(slicesFrom(grid, 1, 2, Border::zero, staging), grid.data() + 1) << "inside nothing is copied";
}

TEST(Scratch, HasNoMoreRoomThanItCouldGet) {
    if (warplens::testing::kSanitized) GTEST_SKIP() << "the address sanitizer ends a program that asks for so much";
    Scratch scratch;
    EXPECT_THROW(scratch.room(std::size_t{1} << 60), std::bad_alloc);
    std::byte* const room = scratch.room(100);
    ASSERT_NE(room, nullptr);
    EXPECT_EQ(scratch.room(10), room);
}

TEST(MemoryLimit, HoldsForEveryBufferOfTheDevice) {
    const auto device = openDevice("cpu");
    device->setMemoryLimit(1000);
    Buffer first = device->allocate(600);
    EXPECT_EQ(device->allocatedBytes(), 600);
    EXPECT_THROW(device->allocate(401), Error);
    Buffer second = device->allocate(400);
    Buffer moved = std::move(first);
    EXPECT_EQ(device->allocatedBytes(), 1000);
    moved = {};
    EXPECT_EQ(device->allocatedBytes(), 400);
    device->setMemoryLimit(0);
    EXPECT_NO_THROW(device->allocate(5000));
}

}  // namespace
}  // namespace warplens::gpu::testing
