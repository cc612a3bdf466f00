// SPDX-License-Identifier: Apache-2.0
// What is drawn of steps while a value is dragged is, pixel for pixel, what is drawn of their whole result.
#include "gpu/recipe/draft.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/recipe/run.hpp"
#include "gpu/render/host_painter.hpp"
#include "gpu/render/pyramid.hpp"
#include "gui/picture/render.hpp"
#include "gui/session/known_steps.hpp"
#include "io/read.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>

namespace warplens::gui {
namespace {

using gpu::recipe::Step;

const Step kMedian{.family = "rank", .parameters = {{"radius", std::int64_t{2}}}};
const Step kSharpen{
    .family = "convolution",
    .parameters = {
        {"filter", std::string("unsharp")}, {"border", std::string("reflect")}, {"output-type", std::string("same")}}};
const Step kLevels{
    .family = "elementwise",
    .parameters = {{"task", std::string("levels")}, {"white", 80.0}, {"output-type", std::string("same")}}};

class DraftTest : public testing::Test {
protected:
    void open(const char* input) {
        m_base.input = std::make_shared<const io::Grid>(io::read(input));
        m_base.device = "cpu";
        m_base.timing = gpu::TimingPolicy::once();
        m_base.measureLimits = false;
        m_base.hostLibraries = true;
        m_base.verify = false;
        m_whole.reset();
    }
    std::shared_ptr<const gpu::render::Display> seen(double zoom, QPointF centre, QSize size = {120, 90}) const {
        RenderRequest request;
        request.size = size;
        request.centre = centre;
        request.zoom = zoom;
        request.range = {0, 255, 1};
        QPoint at;
        return displayOf(m_base.input->shape(), request, at);
    }
    /// Nothing where nothing was drawn.
    std::vector<std::uint32_t> drafted(const gpu::recipe::Recipe& steps,
                                       const std::shared_ptr<const gpu::render::Display>& display) {
        m_preview = m_drafter.draw(steps, m_base, display, {});
        if (!m_preview.seen) return {};
        const auto* first = m_preview.seen->pixels.get();
        return {first, first + m_preview.seen->width * m_preview.seen->height};
    }
    std::vector<std::uint32_t> expected(const gpu::recipe::Recipe& steps, const gpu::render::Display& display) {
        if (m_whole == nullptr) m_whole = gpu::recipe::run(m_runner, steps, m_base, {}).result.picture;
        const auto width = static_cast<std::size_t>(display.across.size());
        std::vector<std::uint32_t> pixels(width * static_cast<std::size_t>(display.down.size()));
        const auto levels = gpu::render::makePyramid(*m_whole, 0);
        const auto level = static_cast<std::size_t>(display.level);
        gpu::render::paintOnHost(level == 0 ? *m_whole : levels->levels[level - 1], 0, display, pixels.data(), width);
        return pixels;
    }
    gpu::Request asked(const Step& step) const {
        gpu::Request request = m_base;
        request.family = step.family;
        request.parameters = step.parameters;
        request.variants = {step.variant};
        return request;
    }
    void expectSame(const gpu::recipe::Recipe& steps, double zoom, QPointF centre) {
        const auto display = seen(zoom, centre);
        const auto drawn = drafted(steps, display);
        ASSERT_FALSE(drawn.empty()) << zoom;
        EXPECT_EQ(drawn, expected(steps, *display)) << zoom << " at " << centre.x() << ", " << centre.y();
        EXPECT_FALSE(m_preview.record.time) << "a part's time is none of the picture's";
        EXPECT_TRUE(m_preview.record.result.empty());
    }

    gpu::Runner m_runner;
    gpu::recipe::Drafter m_drafter{m_runner};
    gpu::Request m_base;
    gpu::Preview m_preview;
    std::shared_ptr<const io::Grid> m_whole;  ///< what the steps of this picture make
};

TEST_F(DraftTest, IsWhatTheWholeResultLooksLike) {
    const gpu::recipe::Recipe steps{{kMedian, kSharpen, kLevels}};
    for (const char* input : {"gen:noise:701x533:u8:c=3", "gen:noise:640x400:u8", "gen:noise:501x433:f32"}) {
        open(input);
        const io::Shape& shape = m_base.input->shape();
        const QPointF middle(static_cast<double>(shape.width) / 2, static_cast<double>(shape.height) / 2);
        for (const double zoom : {0.17, 0.3, 0.8, 1.0, 3.0}) expectSame(steps, zoom, middle);
        expectSame(steps, 1, {10, 10});
        expectSame(steps, 0.5, {static_cast<double>(shape.width), static_cast<double>(shape.height)});
    }
}

TEST_F(DraftTest, EveryStepThatIsDrawnIsDrawnAsItWillBe) {
    open("gen:blobs:160x300:u8:c=3");
    int drawn = 0;
    for (const KnownStep& known : knownSteps(nullptr)) {
        const gpu::recipe::Recipe steps{{{.family = known.family->id(), .parameters = known.values}}};
        const auto display = seen(1, {80, 150}, {60, 40});
        const auto pixels = drafted(steps, display);
        if (pixels.empty()) continue;
        ++drawn;
        m_whole.reset();
        EXPECT_EQ(pixels, expected(steps, *display)) << known.words.front().toStdString();
    }
    EXPECT_GT(drawn, 20);
}

TEST_F(DraftTest, EmulatedKernelsDrawAPartAndLeaveTheWholeToTheRun) {
    open("gen:noise:300x600:u8");
    Step quartile = kMedian;  // OpenCV has no other percentile than the median
    quartile.parameters["percentile"] = 25.0;
    expectSame({{quartile, kLevels}}, 1, {150, 300});
    EXPECT_EQ(m_preview.record.kind, gpu::Variant::Kind::kernel);
    EXPECT_TRUE(drafted({{quartile, kLevels}}, seen(0.2, {150, 300})).empty());
}

TEST_F(DraftTest, StepsThatAreOffAreLeftOut) {
    open("gen:noise:300x200:u8:c=3");
    Step off = kSharpen;
    off.on = false;
    expectSame({{kMedian, off, kLevels}}, 1, {150, 100});
}

TEST_F(DraftTest, NothingIsDrawnOfWhatNeedsAllOfItOrLiesElsewhere) {
    open("gen:noise:300x200:u8");
    const auto display = seen(1, {150, 100});
    Step wrapped = kSharpen, fromInput = kLevels;
    wrapped.parameters["border"] = std::string("wrap");
    fromInput.input.kind = gpu::recipe::Source::Kind::input;
    const Step counted{.family = "histogram"},
        equalised{.family = "scan", .parameters = {{"task", std::string("equalise")}}},
        cropped{.family = "layout", .parameters = {{"task", std::string("crop")}, {"box", std::string("10,10,50,50")}}};
    for (const Step& step : {wrapped, fromInput, counted, equalised, cropped})
        EXPECT_TRUE(drafted({{kMedian, step}}, display).empty()) << step.family;
    open("gen:noise:60x50x8:u8");
    EXPECT_TRUE(drafted({{kLevels}}, seen(1, {30, 25})).empty()) << "a volume";
}

TEST_F(DraftTest, AStepThatRefusesSaysWhy) {
    open("gen:noise:300x200:u8");
    Step refusing = kMedian;
    refusing.variant = "opencv";
    refusing.parameters["percentile"] = 25.0;
    EXPECT_TRUE(drafted({{kLevels, refusing}}, seen(1, {150, 100})).empty());
    EXPECT_EQ(m_preview.record.status, gpu::Status::unsupported);
    EXPECT_FALSE(m_preview.record.reason.empty());
}

TEST_F(DraftTest, AStopEndsIt) {
    open("gen:noise:300x200:u8");
    std::stop_source stop;
    stop.request_stop();
    const auto display = seen(1, {150, 100});
    EXPECT_THROW(m_drafter.draw({{kMedian}}, m_base, display, stop.get_token()), gpu::Error);
}

// As a GPU does it: each step finds what the one before it made where it lies, also when it stayed open there.
TEST_F(DraftTest, StepsThatLieOnADeviceAreDrawnAsTheWholeResult) {
    open("gen:noise:131x83:u8:c=3");
    m_base.hostLibraries = false;
    const auto display = seen(0.8, {65, 40});
    gpu::Runner drawing;
    for (const std::vector<Step>& behind : {std::vector{kSharpen, kLevels}, {kSharpen, kSharpen}, {kLevels}}) {
        for (const std::int64_t radius : {1, 2}) {
            gpu::recipe::Recipe steps{{kMedian}};
            steps.steps.front().parameters["radius"] = radius;
            std::vector<gpu::Request> others;
            for (const Step& step : behind) {
                steps.steps.push_back(step);
                others.push_back(asked(step));
            }
            m_whole.reset();
            const auto wanted = expected(steps, *display);
            for (const bool again : {false, true}) {
                const auto drawn = drawing.preview(asked(steps.steps.front()), display, {}, others);
                ASSERT_TRUE(drawn.seen);
                EXPECT_EQ(drawn.computed, !again);
                EXPECT_EQ(drawn.record.family, "rank") << "the first step's is told";
                const auto* pixels = drawn.seen->pixels.get();
                EXPECT_EQ(std::vector(pixels, pixels + wanted.size()), wanted) << radius << ", " << behind.size();
            }
        }
    }
    const Step counted{.family = "scan", .parameters = {{"task", std::string("equalise")}}};
    EXPECT_FALSE(drawing.preview(asked(kMedian), display, {}, {asked(counted)}).seen) << "it is posed by values";
}

TEST_F(DraftTest, EveryStepBehindAnotherOneOnADeviceIsDrawnAsItWillBe) {
    open("gen:blobs:48x40:u8:c=3");
    m_base.hostLibraries = false;
    const auto display = seen(1, {24, 20}, {48, 40});
    gpu::Runner drawing;
    int drawn = 0;
    for (const KnownStep& known : knownSteps(nullptr)) {
        const Step step{.family = known.family->id(), .parameters = known.values};
        const auto preview = drawing.preview(asked(kLevels), display, {}, {asked(step)});
        if (!preview.seen) continue;
        ++drawn;
        m_whole.reset();
        const auto* pixels = preview.seen->pixels.get();
        const auto wanted = expected({{kLevels, step}}, *display);
        EXPECT_EQ(std::vector(pixels, pixels + wanted.size()), wanted) << known.words.front().toStdString();
    }
    EXPECT_GT(drawn, 20);
}

// A benchmark, run by hand: WARPLENS_DEVICE=cuda:0 for a GPU. Where the time of a picture goes.
TEST_F(DraftTest, DISABLED_StagesOfAPicture) {
    open("gen:noise:6000x4000:u8:c=3");
    m_base.device = qEnvironmentVariable("WARPLENS_DEVICE", "cpu").toStdString();
    m_base.autotune = false;
    const auto measure = [&](const char* name, const std::vector<Step>& steps, const char* parameter, auto value) {
        for (const double zoom : {0.13, 1.0}) {
            const auto display = seen(zoom, {3000, 2000}, {900, 560});
            std::vector<double> all;
            std::map<std::string, double> stages;
            constexpr int kPictures = 20;
            for (int i = 0; i <= kPictures; ++i) {
                gpu::recipe::Recipe recipe{steps};
                recipe.steps.front().parameters[parameter] = value(i);
                m_base.family = recipe.steps.front().family;
                m_base.parameters = recipe.steps.front().parameters;
                m_base.variants = {gpu::kAuto};
                gpu::StageLog log;
                const auto began = gpu::StageLog::Clock::now();
                const bool drawn = !drafted(recipe, display).empty();
                const auto ms = [](auto time) { return std::chrono::duration<double, std::milli>(time).count(); };
                const double whole = ms(gpu::StageLog::Clock::now() - began);
                if (i == 0)
                    std::printf("%s at %.0f %%%s, first %.1f ms", name, 100 * zoom, drawn ? "" : " NOT DRAWN", whole);
                if (i == 0 || !drawn) continue;  // what loads and uploads
                all.push_back(whole);
                for (const auto& span : log.take()) stages[span.stage] += ms(span.end - span.begin);
                stages["colour"] += m_preview.seen->colourMs;
                stages["pixels down"] += m_preview.seen->transferMs;
            }
            std::ranges::sort(all);
            if (!all.empty())
                std::printf(", then %.1f ms, median of %zu (%.1f to %.1f)", all[all.size() / 2], all.size(),
                            all.front(), all.back());
            for (const auto& [stage, sum] : stages) std::printf("; %s %.2f", stage.c_str(), sum / kPictures);
            std::printf("\n");
        }
    };
    measure("levels", {kLevels}, "white", [](int i) { return 94.0 - 0.1 * i; });
    measure("sharpen", {kSharpen, kLevels}, "amount", [](int i) { return 1.1 + 0.01 * i; });
    measure("median", {kMedian, kSharpen, kLevels}, "radius", [](int i) { return std::int64_t{1 + i % 2}; });
}

}  // namespace
}  // namespace warplens::gui
