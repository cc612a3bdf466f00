// SPDX-License-Identifier: Apache-2.0
// Every sentence about made-up counters is held against the counters themselves; tests/gpu/trace does so with real
// ones.
#include "gpu/report/why.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

using ::testing::HasSubstr;

const Variant& rung(const std::string& id) { return variantOf(familyOf("convolution"), id); }

/// The truths of a 5x5 convolution of 256x256, blocks of 32x32: constant memory, and input tiles.
Counters constantMemory() {
    Counters c;
    c.globalLoad = {
        .requests = 50960, .lanes = 1630720, .threadBytes = 6522880, .sectors = 239512, .usefulBytes = 6522880};
    c.globalStore = {.requests = 2048, .lanes = 65536, .threadBytes = 262144, .sectors = 8192, .usefulBytes = 262144};
    c.inputReuse = 24.77;
    c.flops = 3309832;
    c.operationsPerByte = 0.507;
    c.activeLanes = 31.9;
    c.kernels = {{.kernel = "constant",
                  .grid = {8, 8, 1},
                  .block = {32, 32, 1},
                  .launches = 1,
                  .blocks = 64,
                  .tracedBlocks = 64}};
    return c;
}

Counters inputTiles() {
    Counters c = constantMemory();
    c.globalLoad = {.requests = 2920, .lanes = 85264, .threadBytes = 341056, .sectors = 13140, .usefulBytes = 341056};
    c.globalStore.sectors = 9472;
    c.sharedLoad = {.requests = 64000, .lanes = 1638400, .threadBytes = 6553600, .wavefronts = 64000};
    c.sharedStore = {.requests = 3200, .lanes = 102400, .threadBytes = 409600, .wavefronts = 3200};
    c.inputReuse = 1.301;
    c.kernels.front().blocks = 100;
    return c;
}

TEST(Why, NeverSpeaksOfLessThanASector) {
    for (const std::int64_t touched : {1, 2, 7})
        for (const std::int64_t bytes : {4, 13, 31, 32, 40, 100}) {
            if (bytes > 32 * touched) continue;
            Counters c;
            c.globalLoad = {.requests = 100,
                            .lanes = 3200,
                            .threadBytes = 100 * bytes,
                            .sectors = 100 * touched,
                            .usefulBytes = 100 * bytes};
            c.activeLanes = 32;
            for (const WhySentence& sentence : explainVariant({&rung("constant"), &c}, nullptr)) {
                const std::string text = plainText(sentence);
                EXPECT_EQ(text.find(" 0."), std::string::npos) << text;
                if (text.find("would do") == std::string::npos) continue;
                EXPECT_GT(touched, 1) << text;
                EXPECT_EQ(text.find("where one would") != std::string::npos, bytes <= 32) << text;
            }
        }
}

WhyTime recorded(double ms, double half) {
    Timing time{.clock = Clock::device,
                .medianMs = ms,
                .q1Ms = ms,
                .q3Ms = ms,
                .minMs = ms,
                .lowMs = ms - half,
                .highMs = ms + half,
                .samples = 50};
    return {time, Origin::recorded};
}

std::string said(const std::vector<WhySentence>& sentences) {
    std::string text;
    for (const auto& sentence : sentences) text += plainText(sentence) + "\n";
    return text;
}

TEST(Why, SaysOfInputTilesWhatTheBookSays) {
    const Counters now = inputTiles(), old = constantMemory();
    const WhyVariant rungNow{&rung("tiled_input"), &now, recorded(0.529, 0.001)},
        before{&rung("constant"), &old, recorded(0.515, 0.001)};
    const auto text = said(
        explainVariant(rungNow, &before, WhyCeilings{"H200", {.copyGbs = 4250, .fmaTflops = 64}, Origin::recorded}));
    EXPECT_THAT(
        text, HasSubstr("It loads 13,140 (C) sectors of 32 bytes from global memory where constant loads 239,512 (C): "
                        "each input value is loaded 1.30 (C) times instead of 24.8 (C)."));
    EXPECT_THAT(text, HasSubstr("In return it uses 67,200 (C) shared-memory wavefronts where constant uses none."));
    EXPECT_THAT(text, HasSubstr("It is slower: 0.529 ms (r) against 0.515 ms (r)."));
    EXPECT_THAT(text, HasSubstr("the machine balance of the H200 is 15.1 (r): memory and caches limit it"));
    EXPECT_THAT(text, HasSubstr("Of its 102,400 (C) threads 36.0 % (C) write no result."));
}

TEST(Why, ThreadsWithoutAResultLoadForOthersOrLieBeyondThePicture) {
    Counters now = inputTiles();
    const Footprint tiles{.blockWidth = 32, .blockHeight = 32, .tileWidth = 28, .tileHeight = 28, .staged = true};
    const auto text = [&] { return said(explainVariant({&rung("tiled_input"), &now, {}, tiles}, nullptr)); };
    EXPECT_THAT(text(), HasSubstr("write no result: those in the halo of a block only load what the others need, and "
                                  "some lie outside the picture."));
    now.globalStore.lanes = 100 * 28 * 28;
    EXPECT_THAT(
        text(),
        HasSubstr(
            "threads 23.4 % (C) write no result: those in the halo of a block only load what the others need.\n"));
}

TEST(Why, ClaimsNothingOfTheClockThatItDoesNotSay) {
    const Counters now = inputTiles(), old = constantMemory();
    const auto text = [&](std::optional<WhyTime> a, std::optional<WhyTime> b) {
        const WhyVariant rungNow{&rung("tiled_input"), &now, a}, before{&rung("constant"), &old, b};
        return said(explainVariant(rungNow, &before));
    };
    EXPECT_THAT(text(recorded(0.52, 0.01), recorded(0.515, 0.01)), HasSubstr("It is no faster"));
    EXPECT_THAT(text(recorded(0.3, 0.001), recorded(0.515, 0.001)), HasSubstr("It is faster"));
    EXPECT_THAT(text(recorded(0.3, 0.001), {}), ::testing::Not(HasSubstr(" ms ")));
    WhyTime measured = recorded(0.3, 0.001), onTheCpu = recorded(0.3, 0.001);
    measured.origin = Origin::measured;
    EXPECT_THAT(text(measured, recorded(0.515, 0.001)), ::testing::Not(HasSubstr(" ms "))) << "two machines";
    onTheCpu.time.clock = Clock::simulated;
    EXPECT_THAT(text(onTheCpu, onTheCpu), ::testing::Not(HasSubstr(" ms ")));
}

TEST(Why, TwoEqualRungsAreTheSame) {
    const Counters now = constantMemory();
    const WhyVariant a{&rung("coarsened"), &now}, b{&rung("constant"), &now};
    const auto sentences = explainVariant(a, &b);
    EXPECT_EQ(sentences.front().claim, WhyClaim::same);
    EXPECT_THAT(plainText(sentences.front()), HasSubstr("Its counts are those of constant"));
}

TEST(Why, ABetterRungIsNotBlamed) {
    Counters perfect = constantMemory();
    perfect.globalLoad.sectors = perfect.globalLoad.usefulBytes / 32;
    perfect.inputReuse = 1;
    const WhyVariant only{&rung("constant"), &perfect};
    for (const auto& sentence : explainVariant(only, nullptr))
        EXPECT_NE(sentence.claim, WhyClaim::wastes) << plainText(sentence);
}

}  // namespace
}  // namespace warplens::gpu::testing
