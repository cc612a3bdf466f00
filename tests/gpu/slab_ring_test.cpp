// SPDX-License-Identifier: Apache-2.0
// Slabs with a queue for each engine: what comes before what, what overlaps, and that a stop is heard.
#include "gpu/run/slab_ring.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/kernels/layout.hpp"
#include "tests/gpu/late_device.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <gtest/gtest.h>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::gpu::testing {
namespace {

constexpr std::int64_t kSlices = 3;
constexpr std::chrono::seconds kPatience{60};

/// Slabs of bytes that become floats.
struct Widening {
    SlabFormat format{.pixels = 50, .channels = 1, .sent = io::PixelType::u8, .fetched = io::PixelType::f32};
    std::int64_t jobs;
    std::vector<std::byte> sent;
    std::vector<float> made;

    explicit Widening(std::int64_t count, int channels = 1) : jobs(count) {
        format.channels = channels;
        sent.resize(format.sentBytes(kSlices * count));
        made.resize(format.fetchedBytes(kSlices * count) / sizeof(float), -1);
        for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i * 7 + i / 251);
    }
    SlabJob jobOf(Device& device, std::int64_t i) {
        const std::size_t values = format.pixelsOf(kSlices) * static_cast<std::size_t>(format.channels);
        SlabJob job{.from = sent.data() + format.sentBytes(kSlices * i),
                    .sent = kSlices,
                    .to = reinterpret_cast<std::byte*>(made.data()) + format.fetchedBytes(kSlices * i),
                    .fetched = kSlices};
        job.ready = [&device](const Buffer&, const Buffer& to) { device.fill(to, 0xff); };
        job.compute = [&device, values](const Buffer& planes, const Buffer& to) {
            layoutEntry(device.info())
                .convert(device.context(), planes.handle(), 0, io::PixelType::u8, to.handle(), 0, io::PixelType::f32,
                         values);
        };
        return job;
    }
    SlabOverlap run(Device& device, SlabRing& ring) {
        SlabOverlap overlap;
        ring.run(
            jobs, [&](std::int64_t i, Scratch&) { return jobOf(device, i); }, overlap);
        return overlap;
    }
    void expectMade(const std::string& what) const {
        for (std::size_t i = 0; i < sent.size(); ++i)
            ASSERT_EQ(made[i], static_cast<float>(std::to_integer<int>(sent[i]))) << what << ", value " << i;
    }
};

class SlabRingOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (!IsSkipped()) m_device = openDevice(GetParam());
    }
    std::unique_ptr<Device> m_device;
};

TEST_P(SlabRingOnDevice, BringsEverySlabBackThroughPinnedMemoryOrWithout) {
    for (const bool staged : {false, true}) {
        for (const int channels : {1, 3}) {
            for (const std::int64_t jobs : {1, 2, 3, 8}) {
                Widening work(jobs, channels);
                const std::int64_t held = m_device->allocatedBytes();
                SlabRing ring(*m_device, work.format, kSlices, kSlices, staged);
                EXPECT_EQ(m_device->allocatedBytes() - held, SlabRing::bytesFor(work.format, kSlices, kSlices));
                const SlabOverlap overlap = work.run(*m_device, ring);
                work.expectMade(std::to_string(jobs) + " jobs, " + std::to_string(channels) + " channels");
                EXPECT_GT(overlap.sums.upload, 0);
                EXPECT_GT(overlap.sums.kernels, 0);
                EXPECT_GT(overlap.sums.download, 0);
                EXPECT_EQ(overlap.sums.deinterleave > 0, channels > 1);
                EXPECT_GE(overlap.totalMs, 0.99 * overlap.busiestMs()) << "an engine does one thing at a time";
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Run, SlabRingOnDevice, kDevices, nameOfDevice);

/// Each slab begins with what the one before ended with, which is not sent again: made of the first slices that lie on
/// the device, so that they are seen.
TEST(SlabRing, KeepsWhatTheSlabBeforeEndedWith) {
    constexpr std::int64_t kKept = 2, kJobs = 7;
    std::vector<int> ranks{0, 1, 2};
    do {
        for (const bool staged : {false, true}) {
            LateDevice device(ranks);
            Widening work(kJobs);
            SlabRing ring(device, work.format, kSlices + kKept, kSlices, staged);
            SlabOverlap overlap;
            ring.run(
                kJobs,
                [&](std::int64_t i, Scratch&) {
                    SlabJob job = work.jobOf(device, i);
                    if (i > 0) job.kept = kKept;
                    return job;
                },
                overlap);
            const std::size_t slice = work.format.sentBytes(1);
            for (std::size_t i = 0; i < work.made.size(); ++i) {
                const std::size_t job = i / (kSlices * slice);
                const auto from = static_cast<int>(work.sent[i - (job > 0 ? kKept * slice : 0)]);
                ASSERT_EQ(work.made[i], static_cast<float>(from)) << "job " << job << ", staged " << staged;
            }
        }
    } while (std::next_permutation(ranks.begin(), ranks.end()));
}

TEST(SlabRing, HoldsInEveryOrderThatTheWaitsAllow) {
    std::vector<int> ranks{0, 1, 2};
    do {
        for (const bool staged : {false, true}) {
            LateDevice device(ranks);
            Widening work(7, staged ? 1 : 3);
            SlabRing ring(device, work.format, kSlices, kSlices, staged);
            work.run(device, ring);
            work.expectMade("order " + std::to_string(ranks[0]) + std::to_string(ranks[1]));
        }
    } while (std::next_permutation(ranks.begin(), ranks.end()));
}

TEST(SlabRing, SendsASlabWhileTheOneBeforeIsComputed) {
    const auto device = openDevice("cpu");
    Widening work(4);
    SlabRing ring(*device, work.format, kSlices, kSlices, false);
    std::promise<void> third;
    const auto asked = third.get_future().share();
    std::atomic<bool> met = true;
    SlabOverlap overlap;
    ring.run(
        work.jobs,
        [&](std::int64_t i, Scratch&) {
            // It is asked for when the first one has been sent, and so before that is computed.
            if (i == 2) third.set_value();
            SlabJob job = work.jobOf(*device, i);
            if (i == 0) {
                job.ready = [&, asked](const Buffer&, const Buffer&) {
                    met = asked.wait_for(kPatience) == std::future_status::ready;
                };
            }
            return job;
        },
        overlap);
    EXPECT_TRUE(met);
    work.expectMade("waited for");
}

TEST(SlabRing, LandsInOrderAndTellsWhatWasDoneWhen) {
    const auto device = openDevice("cpu");
    Widening work(5, 3);
    SlabRing ring(*device, work.format, kSlices, kSlices, true);
    std::vector<std::int64_t> landed;
    SlabOverlap overlap;
    StageLog log;
    ring.run(
        work.jobs,
        [&](std::int64_t i, Scratch&) {
            SlabJob job = work.jobOf(*device, i);
            job.landed = [&, i] {
                EXPECT_EQ(work.made[work.format.pixelsOf(kSlices * i) * 3],
                          static_cast<float>(std::to_integer<int>(work.sent[work.format.sentBytes(kSlices * i)])));
                landed.push_back(i);
            };
            return job;
        },
        overlap);
    EXPECT_EQ(landed, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    double sums[3] = {};
    for (const StageLog::Span& span : log.take()) {
        const std::string_view stage = span.stage;
        const std::chrono::duration<double, std::milli> ms = span.end - span.begin;
        EXPECT_GE(ms.count(), 0);
        if (stage != StageLog::kLayout)
            sums[stage == StageLog::kUpload ? 0 : stage == StageLog::kKernel ? 1 : 2] += ms.count();
    }
    EXPECT_NEAR(sums[0], overlap.sums.upload, 1e-3);
    EXPECT_NEAR(sums[1], overlap.sums.kernels, 1e-3);
    EXPECT_NEAR(sums[2], overlap.sums.download, 1e-3);
}

/// A job that goes on with what lies there, and one that brings nothing back.
TEST(SlabRing, SendsAndFetchesOnlyWhatIsAskedFor) {
    const auto device = openDevice("cpu");
    Widening work(4);
    SlabRing ring(*device, work.format, kSlices, kSlices, false);
    const Buffer kept = device->allocate(work.format.fetchedBytes(kSlices));
    SlabOverlap overlap;
    ring.run(
        work.jobs,
        [&](std::int64_t i, Scratch&) {
            SlabJob job = work.jobOf(*device, i);
            const auto move = [&device, bytes = kept.bytes()](const Buffer& from, const Buffer& to) {
                layoutEntry(device->info())
                    .convert(device->context(), from.handle(), 0, io::PixelType::f32, to.handle(), 0,
                             io::PixelType::f32, bytes / sizeof(float));
            };
            if (i % 2 == 0) {
                job.to = nullptr;
                job.compute = [&kept, move, widen = job.compute](const Buffer& planes, const Buffer& made) {
                    widen(planes, made);
                    move(made, kept);
                };
            } else {
                job.sent = 0;
                job.to -= work.format.fetchedBytes(kSlices);
                job.compute = [&kept, move](const Buffer&, const Buffer& made) { move(kept, made); };
            }
            return job;
        },
        overlap);
    for (std::size_t i = 0; i < work.made.size(); ++i) {
        const std::size_t slab = work.format.pixelsOf(kSlices);
        const bool there = i / slab % 2 == 0;
        ASSERT_EQ(work.made[i], there ? static_cast<float>(std::to_integer<int>(work.sent[i])) : -1.0F) << i;
    }
}

/// By what is done after it was asked for, not by how long that takes.
TEST(SlabRing, AStopLetsNoFurtherSlabBegin) {
    for (const std::int64_t when : {0, 1, 4}) {
        const auto device = openDevice("cpu");
        std::stop_source stop;
        device->setStop(stop.get_token());
        Widening work(100);
        SlabRing ring(*device, work.format, kSlices, kSlices, true);
        std::atomic<std::int64_t> asked = 0, computed = 0;
        SlabOverlap overlap;
        try {
            ring.run(
                work.jobs,
                [&](std::int64_t i, Scratch&) {
                    ++asked;
                    SlabJob job = work.jobOf(*device, i);
                    job.ready = [&, i](const Buffer&, const Buffer&) {
                        if (i == when) stop.request_stop();
                    };
                    job.pack = [&](const Buffer&, const Buffer&) { ++computed; };
                    return job;
                },
                overlap);
            FAIL() << "ran to the end";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::cancelled);
        }
        EXPECT_LE(computed, when) << "the kernel under way stops between two blocks";
        EXPECT_LE(asked, when + 4);
        // The ring serves again.
        device->setStop({});
        Widening again(3);
        again.run(*device, ring);
        again.expectMade("after a stop");
    }
}

TEST(SlabRing, PlansSlabsThatOverlapWithinWhatFits) {
    for (const std::int64_t halo : {0, 1, 2, 7}) {
        for (const std::int64_t pixels : {std::int64_t{1} << 10, std::int64_t{1} << 20, std::int64_t{1} << 24}) {
            const SlabFormat format{.pixels = pixels};
            const auto bytesFor = [&](std::int64_t n) { return SlabRing::bytesFor(format, n + 2 * halo, n); };
            for (const std::int64_t depth : {2, 40, 1024}) {
                for (const std::int64_t most : {std::int64_t{1}, depth / 3 + 1, depth}) {
                    const SlabPlan largest{.depth = depth, .slices = most, .halo = halo, .bytes = bytesFor(most)};
                    const SlabPlan plan = SlabRing::plan(largest, format, bytesFor, false);
                    EXPECT_GE(plan.slices, 1);
                    EXPECT_LE(plan.slices, most);
                    EXPECT_EQ(plan.bytes, bytesFor(plan.slices));
                    EXPECT_EQ(plan.halo, halo);
                    EXPECT_TRUE(plan.overlapped);
                    // A link that is kept busy, a stop that is soon heard.
                    const std::int64_t slab = plan.slices * pixels * 4;
                    EXPECT_TRUE(slab <= std::int64_t{256} << 20 || plan.slices == 1) << plan.sentence();
                    EXPECT_TRUE(slab >= std::int64_t{8} << 20 || 2 * plan.slices >= most) << plan.sentence();
                }
            }
        }
    }
    const auto slabsOf = [&](std::int64_t pixels, std::int64_t halo, bool keeps = false) {
        const SlabPlan largest{.depth = 1024, .slices = 1024, .halo = halo, .bytes = 0};
        return SlabRing::plan(
                   largest, {.pixels = pixels}, [](std::int64_t) { return 0; }, keeps)
            .count();
    };
    EXPECT_EQ(slabsOf(384 * 384, 2), 23) << "near (22.6 + 2) x (1024 / 22.6 + 4) slices, the least";
    EXPECT_EQ(slabsOf(1024 * 1024, 1), 86) << "12 slices each: no fewer than 12 halos";
    EXPECT_EQ(slabsOf(1024 * 1024, 0), 128) << "32 MB each";
    EXPECT_EQ(slabsOf(1024 * 1024, 2, true), 128) << "a halo that is kept costs nothing";
    EXPECT_EQ(slabsOf(1024 * 1024, 2), 43) << "24 slices each: no fewer than 12 halos";
    EXPECT_EQ(slabsOf(1024 * 1024, 8), 16) << "256 MB each";
}

}  // namespace
}  // namespace warplens::gpu::testing
