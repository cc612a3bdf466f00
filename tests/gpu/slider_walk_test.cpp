// SPDX-License-Identifier: Apache-2.0
// A slider walks over the radii of a filter while kernels compile behind: how late each frame is that a window would
// show. What the window adds, its events and the painting of the finished frame, is not in it: --bench-interactive has
// that.
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/auto_selector.hpp"
#include "gpu/run/live.hpp"
#include "gpu/run/runner.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace warplens::gpu::testing {
namespace {

/// All of a picture of one channel in a pane of these extents, from the picture at half its size.
std::shared_ptr<const render::Display> paneOf(const io::Shape& shape, int width, int height) {
    auto display = std::make_shared<render::Display>();
    const auto fill = [](render::DisplayLine& line, std::int64_t stored, int seen) {
        for (int i = 0; i < seen; ++i) {
            line.first.push_back(static_cast<std::int32_t>(i * stored / seen));
            line.second.push_back(line.first.back());
            line.weight.push_back(0);
        }
    };
    display->width = shape.width;
    display->height = shape.height;
    display->level = 1;
    fill(display->across, shape.width / 2, width);
    fill(display->down, shape.height / 2, height);
    display->colours.scale = 255;
    display->colours.least = -1e9F;
    display->colours.greatest = 1e9F;
    return display;
}

struct Frame {
    std::int64_t radius = 0;
    double ms = 0;
    Preview preview{};
};

std::string told(const Frame& frame) {
    std::ostringstream text;
    const RunRecord& record = frame.preview.record;
    text.precision(3);
    text << frame.ms << " ms at radius " << frame.radius << " (" << record.variant;
    if (record.launch && record.launch->special) text << ", " << kindOf(*record.launch->special);
    if (record.time) text << ", kernel " << record.time->medianMs << " ms";
    if (frame.preview.seen)
        text << ", colours " << frame.preview.seen->colourMs << " ms, transfer " << frame.preview.seen->transferMs
             << " ms";
    text << ")";
    return text.str();
}

class SliderWalk : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }
    static bool gpu() { return GetParam() != "cpu"; }

    /// Up and down again, each frame as soon as the one before is there. The picture lies on the device, as the window
    /// has shown it before somebody takes the slider.
    static std::vector<Frame> walk(Runner& runner, const std::shared_ptr<const io::Grid>& picture,
                                   const std::string& variant, const std::string& filter) {
        const std::int64_t most = gpu() ? 15 : 2;
        const auto display = gpu() ? paneOf(picture->shape(), 1920, 1080) : paneOf(picture->shape(), 24, 16);
        Request request = requestFor(picture, {{"filter", filter}, {"radius", std::int64_t{0}}}, GetParam());
        request.variants = {variant};
        request.verify = false;
        request.timing = TimingPolicy::once();
        const auto frameOf = [&](std::int64_t radius) {
            request.parameters["radius"] = radius;
            const auto start = std::chrono::steady_clock::now();
            Frame frame{.radius = radius, .preview = runner.preview(request, display)};
            const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
            frame.ms = passed.count();
            EXPECT_TRUE(frame.preview.seen) << radius;
            return frame;
        };
        frameOf(most + 1);
        std::vector<Frame> frames;
        for (std::int64_t radius = 1; radius <= most; ++radius) frames.push_back(frameOf(radius));
        for (std::int64_t radius = most - 1; radius >= 1; --radius) frames.push_back(frameOf(radius));
        return frames;
    }
};

TEST_P(SliderWalk, EveryFrameComesWhileKernelsCompileBehind) {
    const std::int64_t side = gpu() ? 4096 : 48;
    const auto picture = noise({side, side}, io::PixelType::f32);
    const char* const before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before != nullptr ? before : "";
    for (const char* filter : {"gaussian", "motion"}) {
        for (const std::string variant : {kAuto, "streamed", "register_blocked"}) {
            const warplens::test::TemporaryFolder cache;  // of compiled kernels
            setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
            for (const char* state : {"cold", "warm"}) {
                Runner runner;  // the device closes with it: what it held is read from the cache again
                std::vector<Frame> frames = walk(runner, picture, variant, filter);
                std::ranges::sort(frames, {}, &Frame::ms);
                std::ostringstream text;
                text << filter << ", " << variant << ", " << state << " cache: " << frames.size() << " frames, median "
                     << frames[frames.size() / 2].ms << " ms, latest " << told(frames.back()) << ", next "
                     << told(frames[frames.size() - 2]);
                RecordProperty(std::string(filter) + " " + variant + " " + state, text.str());
                // Told, not judged: other tests may use the GPU beside this one. No frame of auto is to take 25 ms.
                if (gpu()) std::printf("%s\n", text.str().c_str());
            }
        }
    }
    if (before != nullptr)
        setenv("XDG_CACHE_HOME", kept.c_str(), 1);
    else
        unsetenv("XDG_CACHE_HOME");
}

INSTANTIATE_TEST_SUITE_P(Runner, SliderWalk, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
