// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/runner.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/families/convolution/verify.hpp"
#include "gpu/run/live.hpp"
#include "gpu/run/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace warplens::gpu::testing {
namespace {

Error::Kind kindOf(const std::function<void()>& work, std::string* message = nullptr) {
    try {
        work();
    } catch (const Error& error) {
        if (message != nullptr) *message = error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "an error is one line";
        return error.kind();
    }
    ADD_FAILURE() << "no error";
    return Error::Kind::internal;
}

TEST(Runner, KeepsLadderOrderAndTimesEveryRow) {
    auto request = requestFor(noise({64, 64}, io::PixelType::f32), {}, "cpu");
    request.timing = {.minimumSamples = 3, .maximumSamples = 5, .budgetSeconds = 0.05};
    const auto comparison = Runner().run(request);
    const auto& variants = familyOf("convolution").variants();
    ASSERT_EQ(comparison.runs.size(), usualRows("convolution"));
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
        const auto& run = comparison.runs[i];
        EXPECT_EQ(run.variant, variants[i].id);
        ASSERT_TRUE(run.time) << describe(run);
        EXPECT_EQ(run.time->clock, run.kind == Variant::Kind::library ? Clock::library : Clock::simulated);
        EXPECT_LE(run.time->minMs, run.time->medianMs);
        EXPECT_LE(run.time->q1Ms, run.time->q3Ms);
        EXPECT_FALSE(run.percentOfLimit) << "a CPU has no limit to compare with";
    }
    EXPECT_EQ(comparison.work.bytesRead, 64 * 64 * 4);
}

TEST(Runner, HoldsOnePictureAtATimeWhereNoneIsToBeKept) {
    auto request = requestFor(noise({32, 32}, io::PixelType::f32), {}, "cpu");
    for (const bool keep : {true, false}) {
        for (const std::size_t rows : {usualRows("convolution"), std::size_t{4}}) {
            request.keepPictures = keep;
            std::stop_source stop;
            std::vector<std::weak_ptr<const io::Grid>> seen;
            const auto held = [&] {
                return std::ranges::count_if(seen, [](const auto& picture) { return !picture.expired(); });
            };
            const Observer observer{.progress = {}, .record = [&](const RunRecord& record) {
                                        ASSERT_NE(record.result.picture, nullptr) << record.variant;
                                        EXPECT_EQ(held(), keep ? static_cast<std::ptrdiff_t>(seen.size()) : 0);
                                        seen.push_back(record.result.picture);
                                        if (seen.size() == rows) stop.request_stop();
                                    }};
            const auto comparison = Runner().run(request, stop.get_token(), observer);
            ASSERT_EQ(comparison.runs.size(), rows);
            EXPECT_EQ(held(), keep ? static_cast<std::ptrdiff_t>(rows) : 0) << "after the last row, or when stopped";
            for (const RunRecord& run : comparison.runs) {
                EXPECT_EQ(run.result.picture != nullptr, keep) << run.variant;
                EXPECT_TRUE(run.time && run.verification) << run.variant;
            }
        }
    }
}

TEST(Runner, RefusesUnknownNamesBeforeItRuns) {
    const auto input = noise({8, 8}, io::PixelType::u8);
    Runner runner;
    const auto with = [&](auto change) {
        auto request = requestFor(input, {}, "cpu");
        change(request);
        return kindOf([&] { runner.run(request); });
    };
    EXPECT_EQ(with([](Request& r) { r.family = "sorting"; }), Error::Kind::argument);
    EXPECT_EQ(with([](Request& r) { r.variants = {"magic"}; }), Error::Kind::argument);
    EXPECT_EQ(with([](Request& r) { r.tunables = {{"blocks", 3}}; }), Error::Kind::argument);
    EXPECT_EQ(with([](Request& r) { r.tunables = {{"block_width", 0}}; }), Error::Kind::argument);
    EXPECT_EQ(with([](Request& r) { r.parameters = {{"radius", std::int64_t{99}}}; }), Error::Kind::argument);
    EXPECT_EQ(with([](Request& r) { r.parameters = {{"radiu", std::int64_t{9}}}; }), Error::Kind::argument);
    EXPECT_EQ(with([](Request& r) { r.parameters = {{"border", std::string("fog")}}; }), Error::Kind::argument);
    EXPECT_EQ(with([](Request& r) { r.device = "cuda:77"; }), Error::Kind::noDevice);
    EXPECT_EQ(with([](Request& r) { r.input.reset(); }), Error::Kind::argument);
}

TEST(Runner, SaysWhyAVariantCannotRun) {
    const auto input = noise({50, 50}, io::PixelType::f32);
    const auto reasonOf = [&](const std::string& variant, ParameterValues parameters, TunableValues tunables) {
        auto request = requestFor(input, std::move(parameters), "cpu");
        request.variants = {variant};
        request.tunables = std::move(tunables);
        const auto run = Runner().run(request).runs.front();
        EXPECT_EQ(run.status, Status::unsupported);
        EXPECT_FALSE(run.time);
        return run.reason;
    };
    EXPECT_NE(reasonOf("naive", {}, {{"block_width", 64}, {"block_height", 32}}).find("2048 threads"),
              std::string::npos);
    EXPECT_NE(reasonOf("tiled_input", {{"radius", std::int64_t{16}}}, {}).find("no output"), std::string::npos);
    EXPECT_NE(reasonOf("tiled_output", {{"radius", std::int64_t{31}}}, {{"block_width", 1024}, {"block_height", 1}})
                  .find("shared memory"),
              std::string::npos);
    EXPECT_NE(reasonOf("separable", {{"filter", std::string("laplacian8")}}, {}).find("not separable"),
              std::string::npos);
}

TEST(Runner, ATunableThatFitsSomeRungsLeavesTheOthersUnsupported) {
    auto request = requestFor(noise({40, 40}, io::PixelType::u8), {}, "cpu");
    request.tunables = {{"outputs_per_thread", 2}};
    for (const auto& run : Runner().run(request).runs) {
        if (run.variant == "register_tiled") {
            EXPECT_EQ(run.status, Status::unsupported);
            EXPECT_NE(run.reason.find("choose 4, 8"), std::string::npos) << run.reason;
        } else {
            EXPECT_EQ(run.status, Status::ok) << describe(run);
        }
    }
    request.variants = {"register_tiled"};
    EXPECT_EQ(kindOf([&] { Runner().run(request); }), Error::Kind::argument);
}

TEST(Runner, RefusesGridsThatNoGpuHas) {
    auto request = requestFor(noise({1, 70000}, io::PixelType::u8), {}, "cpu");
    request.variants = {"naive"};
    request.tunables = {{"block_width", 32}, {"block_height", 1}};
    const auto run = Runner().run(request).runs.front();
    EXPECT_EQ(run.status, Status::unsupported);
    EXPECT_NE(run.reason.find("65,535"), std::string::npos) << run.reason;
}

TEST(Runner, StopsInTimeAndReturnsWhatIsDone) {
    auto request = requestFor(noise({2048, 2048}, io::PixelType::f32), {{"radius", std::int64_t{9}}}, "cpu");
    request.variants = {"naive", "tiled_output"};
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    const auto comparison = Runner().run(request, stop.get_token());
    const auto late = std::chrono::steady_clock::now() - asked;
    canceller.join();
    EXPECT_TRUE(comparison.interrupted);
    EXPECT_LT(comparison.runs.size(), 2U);
    EXPECT_LT(std::chrono::duration<double>(late).count(), 1.0) << "250 ms on an idle machine";
}

TEST(Runner, KeepsTheInputOnTheDevice) {
    Runner runner;
    auto request = requestFor(noise({256, 256, 1, 3}, io::PixelType::u8), {}, "cpu");
    request.variants = {"constant"};
    runner.run(request);
    request.parameters = {{"radius", std::int64_t{1}}};
    const auto again = runner.run(request);
    EXPECT_EQ(again.runs.front().uploadMs, 0.0);
}

/// All of a small picture of one channel, value by value.
std::shared_ptr<const render::Display> wholeOf(const io::Shape& shape) {
    auto display = std::make_shared<render::Display>();
    const auto fill = [](render::DisplayLine& line, std::int64_t extent) {
        for (std::int32_t i = 0; i < extent; ++i) {
            line.first.push_back(i);
            line.second.push_back(i);
            line.weight.push_back(0);
        }
    };
    display->width = shape.width;
    display->height = shape.height;
    fill(display->across, shape.width);
    fill(display->down, shape.height);
    display->colours.scale = 1;
    display->colours.least = -1e9F;
    display->colours.greatest = 1e9F;
    for (std::uint32_t i = 0; i < display->colours.table.size(); ++i) display->colours.table[i] = i;
    return display;
}

TEST(Runner, APreviewStaysOnTheDeviceUntilItIsAskedFor) {
    const auto input = noise({64, 48}, io::PixelType::u8);
    auto request = requestFor(input, {}, "cpu");
    request.variants = {"naive"};
    request.timing = TimingPolicy::once();
    request.verify = false;
    const auto display = wholeOf(input->shape());
    Runner runner;
    const Preview first = runner.preview(request, display);
    ASSERT_TRUE(first.seen);
    EXPECT_TRUE(first.computed);
    EXPECT_GT(*first.record.uploadMs, 0);
    EXPECT_TRUE(first.record.result.empty()) << "nothing but what is seen comes down";
    const Preview again = runner.preview(request, display);
    EXPECT_FALSE(again.computed) << "looking again needs no kernel";

    const RunRecord run = runner.run(request).runs.front();
    EXPECT_EQ(run.time->medianMs, first.record.time->medianMs) << "the result that was seen is the one brought down";
    const RunRecord verified = runner.verify(request, run);
    EXPECT_EQ(verified.status, Status::ok) << describe(verified);
    for (std::int64_t y = 0; y < 48; ++y)
        for (std::int64_t x = 0; x < 64; ++x)
            ASSERT_EQ(first.seen->pixels.get()[y * 64 + x], run.result.picture->value(x, y, 0, 0)) << x << ", " << y;

    request.parameters["radius"] = std::int64_t{2};
    const Preview moved = runner.preview(request, display);
    EXPECT_TRUE(moved.computed);
    EXPECT_EQ(*moved.record.uploadMs, 0) << "the picture is there already";
}

TEST(Runner, APreviewIsTakenByItsOwnRowOnly) {
    const auto input = noise({32, 32}, io::PixelType::u8);
    auto request = requestFor(input, {}, "cpu");
    request.timing = TimingPolicy::once();
    const TunableValues fallbacks = resolve(variantOf(familyOf("convolution"), "naive"), {});
    const std::string again = RunKey{.variant = "naive", .chosen = fallbacks}.id();
    Runner runner;
    request.variants = {"naive"};
    ASSERT_TRUE(runner.preview(request, wholeOf(input->shape())).computed);
    request.variants = {again};
    EXPECT_EQ(runner.run(request).runs.front().id(), again) << "the same launch, but another row";
}

// A turned result is as high as the input was wide: what was to be seen of the input may lie outside of it.
TEST(Runner, NothingIsDrawnFromBeyondAResultOfOtherExtents) {
    const auto input = noise({32, 64}, io::PixelType::u8);
    auto request = requestFor(input, {{"task", std::string("rotate90")}}, "cpu");
    request.family = "layout";
    request.variants = {"read_coalesced"};
    const auto asInput = wholeOf(input->shape()), asResult = wholeOf({64, 32});
    Runner runner;
    const Preview none = runner.preview(request, asInput);
    EXPECT_FALSE(none.seen);
    EXPECT_FALSE(none.computed);
    const Preview whole = runner.preview(request, asResult);
    ASSERT_TRUE(whole.seen);
    for (std::int64_t y = 0; y < 32; ++y)
        for (std::int64_t x = 0; x < 64; ++x)
            ASSERT_EQ(whole.seen->pixels.get()[y * 64 + x], input->value(y, 63 - x, 0, 0)) << x << ", " << y;
    EXPECT_FALSE(runner.preview(request, asInput).seen) << "the result that is there has not grown";
    auto deep = std::make_shared<render::Display>(*asResult);
    deep->slice = 1;
    EXPECT_FALSE(runner.preview(request, deep).seen);
}

TEST(Runner, APreviewIsOfferedWhereAResultLiesOnTheDevice) {
    const auto input = noise({32, 32}, io::PixelType::u8);
    const auto display = wholeOf(input->shape());
    Runner runner;
    auto request = requestFor(input, {}, "cpu");
    request.variants = {"opencv"};
    EXPECT_FALSE(runner.preview(request, display).seen) << "a library's result is on the host";
    request = requestFor(input, {}, "cpu");
    request.family = "histogram";
    request.parameters.clear();
    request.variants = {"naive"};
    EXPECT_FALSE(runner.preview(request, display).seen) << "counts are no picture";
    request = requestFor(input, {}, "cpu");
    request.variants = {"auto"};
    const Preview chosen = runner.preview(request, display);
    ASSERT_TRUE(chosen.seen);
    EXPECT_TRUE(chosen.record.choice);
    EXPECT_EQ(runner.run(request).runs.front().variant, chosen.record.variant);
    std::stop_source stop;
    stop.request_stop();
    request.parameters["radius"] = std::int64_t{3};
    EXPECT_EQ(kindOf([&] { runner.preview(request, display, stop.get_token()); }), Error::Kind::cancelled);
    EXPECT_TRUE(runner.preview(request, display).computed) << "what was stopped is no result";
}

/// Small tasks and one that takes long, of families whose first guess was far off.
TEST(RunnerAuto, gpuRacesItsGuessesOnceOnTheVeryTask) {
    if (const auto list = listDevices(); list.find("cuda:0") == nullptr)
        GTEST_SKIP() << "no GPU here: " << list.whyNoCuda;
    const std::tuple<const char*, io::Shape, ParameterValues> tasks[] = {
        {"convolution", {61, 47}, {{"radius", std::int64_t{3}}}},
        {"stencil", {71, 131}, {{"iterations", std::int64_t{24}}}},
        {"histogram", {6, 3}, {{"bins", std::int64_t{3731}}}},
        {"convolution", {6001, 3999}, {{"radius", std::int64_t{2}}}}};
    Runner runner;
    for (const auto& [family, shape, values] : tasks) {
        Request request = requestFor(noise(shape, io::PixelType::f32), values, "cuda:0");
        request.family = family;
        request.variants = {kAuto};
        request.autotune = false;
        const RunRecord guess = runner.run(request).runs.front();
        EXPECT_NE(guess.choice->source, Choice::Source::measured) << family;
        request.autotune = true;
        const RunRecord first = runner.run(request).runs.front();
        EXPECT_EQ(first.status, Status::ok) << describe(first);
        ASSERT_TRUE(first.choice && first.choice->raced) << family << ": " << first.choice->why;
        EXPECT_EQ(first.choice->source, Choice::Source::measured);
        EXPECT_GT(first.choice->raced->rows.size(), 1U);
        EXPECT_EQ(first.verification->mismatches, 0);
        EXPECT_FALSE(runner.measureChoice(request)) << "known";
        const RunRecord again = runner.run(request).runs.front();
        EXPECT_EQ(again.choice->why, first.choice->why) << "and not raced again";
        RecordProperty(std::string(family) + " " + std::to_string(shape.width), first.choice->why);
    }
    // As the window does it: the guess is seen first, then measured at rest.
    Request request = requestFor(noise({300, 200}, io::PixelType::u8), {}, "cuda:0");
    request.variants = {kAuto};
    request.autotune = false;
    runner.run(request);
    const auto measured = runner.measureChoice(request);
    ASSERT_TRUE(measured);
    EXPECT_EQ(runner.run(request).runs.front().choice->why, measured->why);
    std::stop_source stopped;
    stopped.request_stop();
    request.parameters["radius"] = std::int64_t{5};
    EXPECT_THROW(runner.measureChoice(request, stopped.get_token()), Error);
}

TEST(Runner, VerifiesAfterwards) {
    Runner runner;
    auto request = requestFor(noise({40, 40}, io::PixelType::f32), {}, "cpu");
    request.variants = {"register_tiled"};
    request.verify = false;
    auto run = runner.run(request).runs.front();
    EXPECT_FALSE(run.verification);
    EXPECT_EQ(runner.verify(request, run).verification->mismatches, 0);
    auto broken = std::make_shared<io::Grid>(run.result.picture->clone());
    broken->as<float>()[40 * 17 + 5] += 1e-4F;
    run.result.picture = broken;
    const auto verified = runner.verify(request, run);
    EXPECT_EQ(verified.status, Status::wrong);
    EXPECT_EQ(verified.verification->mismatches, 1);
    EXPECT_NE(verified.reason.find("x 5 y 17"), std::string::npos) << verified.reason;
    EXPECT_FALSE(verified.time) << "a wrong result has no speed";
}

TEST(Verifier, SamplesLargePicturesAndTellsHowMuch) {
    const auto input = noise({3000, 3000}, io::PixelType::u8);
    const auto filter = convolution::makeFilter({{"radius", std::int64_t{7}}});
    const convolution::Verifier verifier(input, filter, Border::zero, 0, 1);
    io::Grid output = input->clone();
    const auto result = verifier.verify(output, {});
    EXPECT_LT(result.checkedShare, 1.0);
    EXPECT_GT(result.checkedShare, 0.01);
    EXPECT_GT(result.mismatches, 0);
}

TEST(Registry, NamesAreUniqueAndPredecessorsExist) {
    for (const Family* family : families()) {
        std::set<std::string> seen;
        for (const Variant& variant : family->variants()) {
            EXPECT_TRUE(seen.insert(variant.id).second) << variant.id;
            EXPECT_TRUE(variant.predecessor.empty() || seen.contains(variant.predecessor)) << variant.id;
            EXPECT_FALSE(variant.sentence.empty() || variant.citation.empty() || variant.range.empty()) << variant.id;
            EXPECT_EQ(variant.source.empty(), variant.kind == Variant::Kind::library) << variant.id;
        }
    }
}

TEST(Statistics, SummarisesAndJudges) {
    std::vector<double> fast, slow, noisy;
    for (int i = 0; i < 40; ++i) {
        fast.push_back(1 + 0.001 * (i % 10));
        slow.push_back(1.1 + 0.001 * (i % 10));
        noisy.push_back(1 + 0.01 * (i % 10));
    }
    const auto a = summarise(fast, Clock::device), b = summarise(slow, Clock::device),
               c = summarise(noisy, Clock::device);
    EXPECT_NEAR(a.medianMs, 1.0045, 1e-9);
    EXPECT_EQ(a.samples, 40);
    EXPECT_LE(a.lowMs, a.medianMs);
    EXPECT_GE(a.highMs, a.medianMs);
    EXPECT_EQ(judge(a, b), Verdict::faster);
    EXPECT_EQ(judge(b, a), Verdict::slower);
    EXPECT_EQ(judge(a, a), Verdict::same);
    EXPECT_EQ(judge(b, c), Verdict::slower);
    EXPECT_EQ(judge(a, summarise(slow, Clock::library)), Verdict::undecided) << "two clocks are never compared";
    EXPECT_EQ(judge(summarise({1.0}, Clock::device), b), Verdict::undecided) << "one sample decides nothing";
}

TEST(Parameter, ParsesWhatItFormats) {
    for (const Family* family : families()) {
        for (const Parameter& p : family->parameters()) {
            EXPECT_EQ(parse(p, format(p.fallback)), p.fallback) << p.id;
            EXPECT_FALSE(p.help.empty() || p.title.empty()) << p.id;
            if (p.type == Parameter::Type::integer || p.type == Parameter::Type::real) {
                EXPECT_THROW(parse(p, "12x"), Error) << p.id;
                EXPECT_THROW(parse(p, ""), Error) << p.id;
                EXPECT_THROW(parse(p, std::to_string(2 * p.maximum + 1)), Error) << p.id;
                for (const std::string& word : p.choices) {
                    EXPECT_EQ(parse(p, word), Parameter::Value(word)) << p.id;
                    EXPECT_NO_THROW(validate({p}, {{p.id, word}})) << p.id;
                    EXPECT_THROW(parse(p, word + "x"), Error) << p.id;
                }
            }
        }
    }
}

TEST(SimtScheduling, NoVariantDependsOnTheOrderOfThreads) {
    const auto input = noise({75, 66}, io::PixelType::f32);
    auto request = requestFor(input, {{"border", std::string("wrap")}}, "cpu");
    Runner runner;
    const auto inOrder = runner.run(request);
    for (const std::uint64_t seed : {3ULL, 17ULL}) {
        request.scheduling = {.workers = 1, .shuffleSeed = seed};
        const auto shuffled = runner.run(request);
        for (std::size_t i = 0; i < inOrder.runs.size(); ++i) {
            if (inOrder.runs[i].kind == Variant::Kind::library) continue;
            EXPECT_EQ(std::memcmp(inOrder.runs[i].result.picture->data(), shuffled.runs[i].result.picture->data(),
                                  input->bytes()),
                      0)
                << inOrder.runs[i].variant << " seed " << seed;
        }
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
