// SPDX-License-Identifier: Apache-2.0
// What a region is: seeds that compete, bounds to the last bit, what is no number, refusals; and whether the check
// finds what is wrong.
#include "gpu/core/error.hpp"
#include "gpu/families/flood/reference.hpp"
#include "gpu/families/flood/tests/flood_case.hpp"
#include "gpu/run/service.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::vector<std::int32_t> stepsOf(const Result& result) {
    const auto* const values = result.picture->as<std::int32_t>();
    return {values, values + result.picture->shape().pixels()};
}

class FloodDefinition : public FloodCase {};

// Every picture of 3 x 3 pixels of the values 0, 1 and 2, of which a seed takes its own and the next, with two seeds at
// places that differ from picture to picture: mosaics of 512 of them between walls.
TEST_P(FloodDefinition, AllTinyPicturesWithTwoSeeds) {
    constexpr int kAcross = 32, kDown = 16, kAll = 19683;
    for (int first = 0; first < kAll; first += kAcross * kDown) {
        auto input = std::make_shared<io::Grid>(io::Shape{4 * kAcross, 4 * kDown}, PixelType::u8);
        FloodAsked asked{{}, 1, "4"};
        std::vector<FloodPlace> second;
        for (int cell = 0; cell < kAcross * kDown; ++cell) {
            const int left = cell % kAcross * 4, top = cell / kAcross * 4;
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x) input->setValue(left + x, top + y, 0, 0, 255);
            int digits = (first + cell) % kAll;
            for (int i = 0; i < 9; ++i, digits /= 3) input->setValue(left + i % 3, top + i / 3, 0, 0, digits % 3);
            const int a = (first + cell) * 5 % 9, b = (a + 1 + (first + cell) / 9 % 8) % 9;
            asked.seeds.push_back({left + a % 3, top + a / 3, 0});
            second.push_back({left + b % 3, top + b / 3, 0});
        }
        asked.seeds.insert(asked.seeds.end(), second.begin(), second.end());
        for (const char* connectivity : {"4", "8"}) {
            asked.connectivity = connectivity;
            EXPECT_THAT(expectSteps(input, asked, std::to_string(first)), ::testing::Contains("hybrid"));
        }
    }
}

// Every picture of 3 x 3 pixels that are open or a wall, with a seed, each across the corner where four tiles of 32 x
// 32 meet: the corner before its middle and behind it.
TEST_P(FloodDefinition, AllTinyPicturesAcrossTheCornersOfTiles) {
    constexpr int kAcross = 32, kDown = 16, kSide = 32;
    for (const int before : {1, 2}) {
        auto input = std::make_shared<io::Grid>(io::Shape{kSide * (kAcross + 1), kSide * (kDown + 1)}, PixelType::u8);
        std::memset(input->data(), 0xff, input->bytes());
        FloodAsked asked;
        for (int cell = 0; cell < kAcross * kDown; ++cell) {
            const int left = (cell % kAcross + 1) * kSide - before, top = (cell / kAcross + 1) * kSide - before;
            for (int i = 0; i < 9; ++i) {
                if ((cell >> i & 1) == 0) continue;
                input->setValue(left + i % 3, top + i / 3, 0, 0, 0);
                if (cell >> i <= 3) asked.seeds.push_back({left + i % 3, top + i / 3, 0});
            }
        }
        asked.connectivity = before == 1 ? "8" : "4";
        EXPECT_THAT(expectSteps(input, asked, asked.connectivity, {"tiled", "persistent"}),
                    ElementsAre("persistent", "tiled"));
    }
}

// The second seed comes to the middle first; the first cannot pass, although it would take what lies behind.
TEST_P(FloodDefinition, WhoComesFirstBlocksTheWay) {
    const auto input = drawn({"0123"});
    // 3 takes 2 and 1 within 2; 0 takes 1 and 2. Both are a step from their neighbour, and 1 falls to seed 0 at once.
    expectSteps(input, {{{0, 0, 0}, {3, 0, 0}}, 2, "4"}, "meets in the middle");
    const auto way = drawn({"0 2", "012", "0 2"});
    expectSteps(way, {{{0, 0, 0}, {2, 0, 0}}, 1, "4"}, "a gate");
    expectSteps(way, {{{2, 0, 0}, {0, 0, 0}}, 1, "4"}, "a gate, the other way round");
}

TEST_P(FloodDefinition, TiesGoToTheFirstSeedInTheList) {
    // 1 is a step from 0 and from 2; what is behind it, below, only 0 (or only 2) takes.
    const auto input = drawn({"012", " 0 "});
    for (const bool turned : {false, true}) {
        FloodAsked asked{{{0, 0, 0}, {2, 0, 0}}, 1, "4"};
        if (turned) std::swap(asked.seeds[0], asked.seeds[1]);
        auto request = floodRequest(input, asked, GetParam());
        std::set<std::int32_t> below;
        for (const auto& run : m_runner.run(request).runs)
            if (run.status == Status::ok) below.insert(stepsOf(run.result)[4]);
        EXPECT_THAT(below, ElementsAre(turned ? -1 : 2)) << "below the middle";
        expectSteps(input, asked, "ties");
    }
}

TEST_P(FloodDefinition, BoundsOfFloatsToTheLastBit) {
    const float seed = 0.3F;
    for (const double tolerance : {0.0, 0.1, 1e-9, 0.25, 1.0, 3e7, 1e38}) {
        auto input = std::make_shared<io::Grid>(io::Shape{64, 3}, PixelType::f32);
        for (int x = 0; x < 64; ++x) {
            const bool above = x % 2 == 0;
            float value = static_cast<float>(above ? seed + tolerance : seed - tolerance);
            for (int i = 0; i < x / 8; ++i)
                value = std::nextafter(value, x / 2 % 2 == 0 ? std::numeric_limits<float>::max() : -1e38F);
            input->as<float>()[x] = value;
            input->as<float>()[64 + x] = input->as<float>()[128 + x] = seed;
        }
        expectSteps(input, {{{0, 1, 0}}, tolerance, "4"}, std::to_string(tolerance));
    }
}

TEST_P(FloodDefinition, WhatIsNoNumberIsNeverInside) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    auto input = std::make_shared<io::Grid>(io::Shape{5, 2}, PixelType::f32);
    const float values[] = {0, nan, 0, infinity, infinity, 0, 0, 0, -infinity, infinity};
    for (int i = 0; i < 10; ++i) input->as<float>()[i] = values[i];
    expectSteps(input, {{{0, 0, 0}}, 1e38, "4"}, "around it");
    expectSteps(input, {{{3, 0, 0}}, 1, "4"}, "infinity alone");
    expectSteps(input, {{{1, 0, 0}, {2, 0, 0}}, 1, "4"}, "beside one that is a number");
    const FloodAsked none{{{1, 0, 0}}, 1, "4"};
    EXPECT_THAT(expectSteps(input, none, "a seed that is none"), ::testing::Contains("hybrid"));
    auto request = floodRequest(input, none, GetParam());
    for (const auto& run : m_runner.run(request).runs) {
        if (run.status != Status::ok) continue;
        EXPECT_THAT(stepsOf(run.result), ::testing::Each(-1)) << run.variant;
        EXPECT_EQ(run.result.tables.front()->rows(), 0U) << run.variant;
    }
}

TEST_P(FloodDefinition, ColoursAreJudgedChannelByChannel) {
    auto input = std::make_shared<io::Grid>(io::Shape{4, 1, 1, 3}, PixelType::u8);
    const int values[4][3] = {{10, 10, 10}, {12, 8, 10}, {10, 10, 13}, {10, 10, 10}};
    for (int x = 0; x < 4; ++x)
        for (int c = 0; c < 3; ++c) input->setValue(x, 0, 0, c, values[x][c]);
    expectSteps(input, {{{0, 0, 0}}, 2, "4"}, "up to the blue one");
    expectSteps(input, {{{0, 0, 0}}, 3, "4"}, "all");
    expectSteps(input, {{{0, 0, 0}, {3, 0, 0}, {1, 0, 0}, {0, 0, 0}}, 2, "4"}, "several, one of them twice");
}

INSTANTIATE_TEST_SUITE_P(Flood, FloodDefinition, kDevices, nameOfDevice);

std::string refusalOf(const ParameterValues& values) {
    const auto input = std::make_shared<io::Grid>(io::Shape{8, 4, 2}, PixelType::u8);
    try {
        familyOf("flood").pose(input, values);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::argument);
        return error.what();
    }
    return "taken";
}

TEST(FloodSeeds, AreRefusedWithAWordWhy) {
    EXPECT_EQ(refusalOf({}), "taken");
    for (const char* fine : {"0,0", "7,3,1", "1,2;3,1,1", " 1, 2 ; 3,1"})
        EXPECT_EQ(refusalOf({{"seeds", std::string(fine)}}), "taken") << fine;
    EXPECT_THAT(refusalOf({{"seeds", std::string("8,0")}}),
                HasSubstr("'8,0' lies outside the picture: choose x from 0 to 7"));
    EXPECT_THAT(refusalOf({{"seeds", std::string("0,0;0,-1")}}), HasSubstr("choose y from 0 to 3"));
    EXPECT_THAT(refusalOf({{"seeds", std::string("0,0,2")}}), HasSubstr("choose z from 0 to 1"));
    for (const char* odd : {";", ",", "1,2;"})
        EXPECT_THAT(refusalOf({{"seeds", std::string(odd)}}), HasSubstr("a place is empty")) << odd;
    for (const char* odd : {"1", "1,2,0,4", "a,b", "1,", "1.5,2", "1 2"})
        EXPECT_THAT(refusalOf({{"seeds", std::string(odd)}}), HasSubstr("is not a place")) << odd;
    EXPECT_NE(refusalOf({{"tolerance", -1.0}}), "taken");
    EXPECT_NE(refusalOf({{"connectivity", std::string("5")}}), "taken");
}

TEST(FloodService, SelectsARegion) {
    Runner runner;
    const auto list = listDevices();
    const auto input = drawn({"000 0", "0 0 0", "000 0"});
    const FloodAsked asked{{{0, 0, 0}}, 0, "4"};
    const Result result = serve(runner, Service::selectRegion, asked.roles(), input, *list.find("cpu"));
    EXPECT_THAT(stepsOf(result), ElementsAreArray({0, 1, 2, -1, -1, 1, -1, 3, -1, -1, 2, 3, 4, -1, -1}));
    EXPECT_THAT(result.tables.front()->integers("frontier"), ElementsAre(1, 2, 2, 2, 1));
    EXPECT_THROW(
        serve(runner, Service::selectRegion, {{Parameter::Role::seeds, std::string("5,0")}}, input, *list.find("cpu")),
        Error);
}

TEST(FloodCheck, FindsAWrongStepAndAWrongFigure) {
    const auto input = drawn({"000", "000"});
    const auto problem = familyOf("flood").pose(input, FloodAsked{{{0, 0, 0}}, 0, "4"}.values());
    const Variant& variant = variantOf(familyOf("flood"), "vertex");
    double ms = 0;
    const Result right = problem->runLibrary(variantOf(familyOf("flood"), "host_queue"), ms, {});
    EXPECT_EQ(problem->verify(right, variant, {}).mismatches, 0);
    EXPECT_EQ(problem->verify(right, variant, {}).checkedShare, 1);
    for (int pixel = 0; pixel < 6; ++pixel) {
        auto wrong = std::make_shared<io::Grid>(right.picture->clone());
        wrong->as<std::int32_t>()[pixel] = pixel % 2 == 0 ? -1 : 7;
        const auto found = problem->verify({.picture = wrong, .tables = right.tables}, variant, {});
        EXPECT_EQ(found.mismatches, 1) << pixel;
        EXPECT_THAT(found.firstMismatch,
                    HasSubstr("x " + std::to_string(pixel % 3) + " y " + std::to_string(pixel / 3)));
        EXPECT_GT(
            problem->verify({.picture = right.picture, .tables = {flood::levelsOf(*wrong)}}, variant, {}).mismatches, 0)
            << pixel;
    }
}

TEST(FloodCheck, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    const auto input = drawn({"000"});
    const auto problem = familyOf("flood").pose(input, {});
    double ms = 0;
    EXPECT_THROW(problem->runLibrary(variantOf(familyOf("flood"), "host_queue"), ms, source.get_token()), Error);
    EXPECT_THROW(flood::flooded(*input, {{{0, 0, 0}}, 0, flood::Connectivity::edges}, source.get_token()), Error);
}

}  // namespace
}  // namespace warplens::gpu::testing
