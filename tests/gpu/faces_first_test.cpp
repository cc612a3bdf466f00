// SPDX-License-Identifier: Apache-2.0
// Rounds whose faces go first: whatever order devices and their queues take, the bits are those of one field.
#include "gpu/run/overlapped_halo_exchange.hpp"
#include "tests/gpu/late_device.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace warplens::gpu::testing {
namespace {

constexpr std::int64_t kLines = 14, kPixels = 3, kHalo = 2;

float next(const float* line, std::int64_t pixel) {
    return line[pixel] + 2 * line[pixel - kPixels] - 3 * line[pixel + kPixels];
}

/// So many steps of lines `first` to `last` that read a line to each side in every step; the ends of the whole stay.
void step(const float* in, float* out, std::int64_t first, std::int64_t last, std::int64_t lines, int steps) {
    std::vector<float> now(in, in + lines * kPixels), then = now;
    for (int s = 0; s < steps; ++s) {
        const std::int64_t more = steps - 1 - s;
        for (std::int64_t line = std::max<std::int64_t>(1, first - more); line < std::min(lines - 1, last + more);
             ++line) {
            for (std::int64_t p = 0; p < kPixels; ++p) then[line * kPixels + p] = next(now.data() + line * kPixels, p);
        }
        now = then;
    }
    std::copy(now.begin() + first * kPixels, now.begin() + last * kPixels, out + first * kPixels);
}

/// A stretch of the field with its halo, and the two buffers that it goes between.
struct Stretch {
    std::int64_t first, own, held, begin;  ///< its own in the field; in all; where its own begin among them
    Buffer buffers[2];
    float* at(int which) const { return reinterpret_cast<float*>(buffers[which].handle()); }
};

/// `repeated`: but for the first and the last, two at a time and as one graph.
std::vector<float> inRounds(Device& device, const std::vector<std::int64_t>& cuts, const std::vector<float>& start,
                            int rounds, int steps, bool repeated = false) {
    std::vector<Stretch> stretches;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const std::int64_t from = std::max<std::int64_t>(0, cuts[i] - kHalo),
                           to = std::min(kLines, cuts[i + 1] + kHalo);
        Stretch s{
            .first = cuts[i], .own = cuts[i + 1] - cuts[i], .held = to - from, .begin = cuts[i] - from, .buffers = {}};
        for (int which : {0, 1}) {
            s.buffers[which] = device.allocate(static_cast<std::size_t>(s.held * kPixels) * sizeof(float));
            std::copy(start.begin() + from * kPixels, start.begin() + to * kPixels, s.at(which));
            if (which == 1) std::fill_n(s.at(1), s.held * kPixels, -1e9F);
        }
        stretches.push_back(std::move(s));
    }
    OverlappedHaloExchange faces(std::vector<Device*>(stretches.size(), &device), kPixels, 1);
    const auto given = [&stretches, steps](int now) {
        std::vector<HaloRound> list;
        for (const Stretch& s : stretches) {
            const auto part = [&s, now, steps](std::int64_t first, std::int64_t last) {
                return [&s, now, steps, first, last] { step(s.at(now), s.at(1 - now), first, last, s.held, steps); };
            };
            const std::int64_t end = s.begin + s.own;
            HaloRound one{.faces = {}, .interior = {}, .made = {&s.buffers[1 - now], s.held, s.begin, s.own}};
            if (s.own > 2 * steps) {
                one.faces = {part(s.begin, s.begin + steps), part(end - steps, end)};
                one.interior = part(s.begin + steps, end - steps);
            } else {
                one.faces = {part(s.begin, end)};
            }
            list.push_back(std::move(one));
        }
        return list;
    };
    int now = 0;
    for (int round = 0; round < rounds; ++round, now = 1 - now) {
        if (repeated && round == 1) {
            const int times = (rounds - 2) / 2;
            faces.repeat(faces.record({given(now), given(1 - now)}, steps), times);
            round += 2 * times;
        }
        faces.round(given(now), round + 1 < rounds ? steps : 0);
    }
    faces.finish();
    std::vector<float> field(kLines * kPixels);
    for (const Stretch& s : stretches)
        std::copy_n(s.at(now) + s.begin * kPixels, s.own * kPixels, field.begin() + s.first * kPixels);
    return field;
}

TEST(OverlappedHaloExchange, MakesTheBitsOfOneFieldInEveryOrder) {
    std::vector<float> start(kLines * kPixels);
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>((i * 37) % 11) - 5;
    std::mt19937 random(23);
    for (const int steps : {1, 2}) {
        std::vector<float> expected = start;
        for (int s = 0; s < 6 * steps; ++s) {
            const std::vector<float> before = expected;
            step(before.data(), expected.data(), 0, kLines, kLines, 1);
        }
        for (const std::vector<std::int64_t>& cuts :
             {std::vector<std::int64_t>{0, 7, 14}, {0, 5, 10, 14}, {0, 8, 10, 12, 14}}) {
            std::vector<int> ranks(2 * (cuts.size() - 1));
            std::iota(ranks.begin(), ranks.end(), 0);
            for (int order = 0; order < 12; ++order) {
                std::ranges::shuffle(ranks, random);
                for (const bool repeated : {false, true}) {
                    LateDevice device(ranks);
                    ASSERT_EQ(inRounds(device, cuts, start, 6, steps, repeated), expected)
                        << ::testing::PrintToString(ranks) << ", " << steps << " steps" << (repeated ? ", graphs" : "");
                }
            }
        }
    }
}

TEST(OverlappedHaloExchange, TellsAFailureOnceAllIsDone) {
    const auto device = openDevice("cpu");
    const Buffer buffer = device->allocate(64);
    OverlappedHaloExchange faces({device.get(), device.get()}, 1, 1);
    const HaloRound good{.faces = {[] {}}, .interior = {}, .made = {&buffer, 4, 1, 2}};
    HaloRound bad = good;
    bad.faces = {[] { throw Error(Error::Kind::fault, "broken"); }};
    faces.round({good, bad}, 1);
    faces.round({good, good}, 1);
    try {
        faces.finish();
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "broken");
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
