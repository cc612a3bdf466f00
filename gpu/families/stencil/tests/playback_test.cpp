// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/playback.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/run/runner.hpp"
#include "io/generate.hpp"

#include <chrono>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <stop_token>
#include <thread>

namespace warplens {

using namespace gpu;

namespace {

const ParameterValues kHeat{{"stencil", std::string("heat")}, {"iterations", std::int64_t{20}}};
const std::vector<std::string> kAll{"naive", "tiled", "sliced", "register_tiled", "marching", "fused", "opencv"};

std::shared_ptr<const io::Grid> noise(const std::string& extent) {
    return std::make_shared<const io::Grid>(io::generate("gen:noise:" + extent + ":f32"));
}

}  // namespace

// What a comparison computes in one go, a playback reaches in any stride.
TEST(Playback, equalsTheRunOfAsManySteps) {
    const auto input = noise("19x13x11");
    stencil::Playback playback(input, kHeat, kAll, {}, "cpu");
    EXPECT_TRUE(std::isnan(playback.state().change));
    for (const std::int64_t stride : {1, 3, 5}) playback.advance(stride);
    EXPECT_EQ(playback.state().step, 9);

    Request request{.input = input,
                    .inputName = "noise",
                    .family = "stencil",
                    .parameters = kHeat,
                    .variants = {},
                    .tunables = {},
                    .device = "cpu",
                    .timing = TimingPolicy::once(),
                    .verify = false,
                    .measureLimits = false,
                    .scheduling = {}};
    request.parameters["iterations"] = std::int64_t{9};
    request.parameters["residual-every"] = std::int64_t{9};
    Runner runner;
    for (const Player& player : playback.state().players) {
        if (player.variant == "opencv") continue;
        ASSERT_EQ(player.refusal, "") << player.variant;
        EXPECT_GT(player.msPerStep, 0) << player.variant;
        request.variants = {player.variant};
        const RunRecord run = runner.run(request).runs.at(0);
        const auto frame = playback.frame(player.variant);
        EXPECT_EQ(std::memcmp(frame->data(), run.result.picture->data(), frame->bytes()), 0) << player.variant;
        EXPECT_EQ(playback.verify(player.variant).mismatches, 0) << player.variant;
        EXPECT_DOUBLE_EQ(playback.state().change, evolutionOf(run.result.tables)->residuals.at(0).value)
            << player.variant;
    }
}

// Slab by slab over a device that holds a few slices alone: the same fields, changes and checks, whatever the stride.
TEST(Playback, inSlabsEqualsThatInOnePiece) {
    const std::vector<std::string> kernels{"naive", "tiled", "marching", "fused"};
    ParameterValues values = kHeat;
    values["regions"] = std::string("5 at z=0; -2 at x=2..4 y=3 z=2..9");
    for (const char* const kind : {"19x13x11:f32", "12x9x10:u16:c=3"}) {
        const auto input = std::make_shared<const io::Grid>(io::generate(std::string("gen:noise:") + kind));
        const stencil::StencilProblem problem(input, values);
        // All variants but one would fit; so they go by slabs, which are planned for the whole limit.
        const std::int64_t almost = stencil::inCoreBytes(problem, 4) - 1, five = stencil::slabBytes(problem, 5);
        stencil::Playback whole(input, values, kernels, {}, "cpu", almost + 1);
        EXPECT_EQ(whole.state().plan, "");
        for (const std::int64_t cap : {almost, five}) {
            stencil::Playback cut(input, values, kernels, {}, "cpu", cap);
            EXPECT_NE(cut.state().plan.find("slab"), std::string::npos) << cut.state().plan;
            whole.restart();
            const auto start = cut.frame("tiled");
            EXPECT_EQ(std::memcmp(start->data(), whole.frame("tiled")->data(), start->bytes()), 0) << "step 0";
            for (const std::int64_t stride : {1, 1, 5, 13}) {
                const PlaybackState& got = cut.advance(stride);
                const PlaybackState& wanted = whole.advance(stride);
                EXPECT_EQ(got.step, wanted.step);
                EXPECT_EQ(got.change, wanted.change) << kind << ", step " << got.step;
                for (const std::string& id : kernels) {
                    const auto frame = cut.frame(id);
                    ASSERT_EQ(std::memcmp(frame->data(), whole.frame(id)->data(), frame->bytes()), 0)
                        << id << " of " << kind << ", step " << got.step << ", " << got.plan;
                }
            }
            EXPECT_GT(cut.state().players.at(0).msPerStep, 0);
            EXPECT_EQ(cut.verify("fused").mismatches, 0);
            cut.restart();
            EXPECT_EQ(std::memcmp(cut.frame("naive")->data(), start->data(), start->bytes()), 0);
        }
        try {
            stencil::Playback(input, values, kernels, {}, "cpu", stencil::slabBytes(problem, 3) - 1);
            FAIL() << "a slice with its halo does not fit";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::outOfMemory) << error.what();
        }
    }
}

TEST(Playback, aVariantPlaysBesideItself) {
    const auto input = noise("9x9x9");
    const std::vector<std::string> ids{"naive", "naive@block_width=8", "naive@block_width=16"};
    stencil::Playback playback(input, kHeat, ids, {{"block_width", 4}}, "cpu");
    playback.advance(3);
    ASSERT_EQ(playback.state().players.size(), 3U);
    const auto first = playback.frame("naive");
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(playback.state().players[i].variant, ids[i]);
        EXPECT_EQ(playback.state().players[i].refusal, "");
        EXPECT_EQ(playback.verify(ids[i]).mismatches, 0) << ids[i];
        EXPECT_EQ(std::memcmp(playback.frame(ids[i])->data(), first->data(), first->bytes()), 0) << ids[i];
    }
    EXPECT_THROW(playback.frame("naive@block_width=32"), Error);
    EXPECT_THROW(stencil::Playback(input, kHeat, {"naive@colour=1"}, {}, "cpu"), Error);
}

TEST(Playback, goesBackToTheStart) {
    const auto input = noise("9x9x9");
    stencil::Playback playback(input, kHeat, {"marching"}, {}, "cpu");
    playback.advance(4);
    playback.restart();
    EXPECT_EQ(playback.state().step, 0);
    const auto frame = playback.frame("marching");
    EXPECT_EQ(std::memcmp(frame->data(), input->data(), input->bytes()), 0);
    playback.advance(1);
    EXPECT_EQ(playback.verify("marching").mismatches, 0);
}

TEST(Playback, keepsWhoCannotPlayWithTheReason) {
    stencil::Playback playback(noise("8x8"), kHeat, {"naive", "opencv"}, {}, "cpu");
    EXPECT_EQ(playback.state().players.at(0).refusal, "");
    EXPECT_NE(playback.state().players.at(1).refusal, "");
    EXPECT_THROW(playback.frame("opencv"), Error);
    EXPECT_THROW(stencil::Playback(noise("8x8"), kHeat, {"opencv"}, {}, "cpu"), Error);
}

// Stopped anywhere, the variants are at different steps; going on makes them even again, and right.
TEST(Playback, goesOnAfterAStopWhereverItCame) {
    stencil::Playback playback(noise("40x40x40"), kHeat, {"naive", "tiled", "fused"}, {}, "cpu");
    std::stop_source before;
    before.request_stop();
    EXPECT_THROW(playback.advance(5, before.get_token()), Error);
    EXPECT_EQ(playback.state().step, 0);
    int stopped = 0;
    for (int ms = 0; ms < 6; ++ms) {
        std::stop_source stop;
        std::jthread later([&stop, ms] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2 * ms + 1));
            stop.request_stop();
        });
        const std::int64_t step = playback.state().step;
        try {
            playback.advance(8, stop.get_token());
        } catch (const Error& error) {
            ++stopped;
            EXPECT_EQ(error.kind(), Error::Kind::cancelled);
            EXPECT_EQ(playback.state().step, step);
        }
    }
    EXPECT_GT(stopped, 0);
    playback.advance(1);
    EXPECT_TRUE(playback.even());
    EXPECT_LE(playback.state().step, 50);
    for (const char* variant : {"naive", "tiled", "fused"})
        EXPECT_EQ(playback.verify(variant).mismatches, 0) << variant;
}

}  // namespace warplens
