// SPDX-License-Identifier: Apache-2.0
// Runners beside each other on one device: pictures in turn, with the bits and the choices of a single one.
#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/pipeline.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens::gpu::testing {
namespace {

class BesideOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }
};

TEST_P(BesideOnDevice, TwoRunnersMakeTheBitsOfOneAndTakeTurns) {
    constexpr std::size_t kPictures = 12;
    std::vector<Request> requests;
    for (std::size_t i = 0; i < kPictures; ++i) {
        const int channels = i % 3 == 0 ? 3 : 1;
        requests.push_back(requestFor(noise({40 + static_cast<std::int64_t>(i % 4) * 30, 50, 1, channels},
                                            i % 2 == 0 ? io::PixelType::u8 : io::PixelType::f32, i),
                                      {{"radius", std::int64_t{2}}}, GetParam()));
        requests.back().variants = {kAuto};
        requests.back().timing = TimingPolicy::once();
    }
    Runner first;
    const auto second = first.beside();
    std::vector<Runner*> free{&first, second.get()};
    std::mutex mutex;
    EngineLocks turns;
    std::vector<Comparison> made(kPictures);
    std::map<std::string_view, std::vector<std::pair<PipelineClock::time_point, PipelineClock::time_point>>> spans;
    const auto compute = [&](std::size_t item, int, const std::stop_token& stop) {
        Runner* runner = nullptr;
        {
            const std::lock_guard lock(mutex);
            runner = free.back();
            free.pop_back();
        }
        StageLog log(&turns);
        made[item] = runner->run(requests[item], stop);
        const std::lock_guard lock(mutex);
        free.push_back(runner);
        for (const StageLog::Span& span : log.take()) spans[span.stage].emplace_back(span.begin, span.end);
    };
    const std::vector<PipelineStage> stages{{.name = "compute", .workers = 2, .work = compute}};
    runPipeline(kPictures, stages, {.items = 4},
                [](std::size_t, const std::exception_ptr& failure) { EXPECT_FALSE(failure); });
    Runner alone;
    for (std::size_t i = 0; i < kPictures; ++i) {
        ASSERT_EQ(made[i].runs.size(), 1U);
        const RunRecord& run = made[i].runs.front();
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        Request same = requests[i];
        same.variants = {run.id()};  // what was chosen is the clock's
        same.tunables = {};
        const RunRecord expected = alone.run(same).runs.front();
        EXPECT_EQ(run.verification->mismatches, 0);
        EXPECT_EQ(
            std::memcmp(run.result.picture->data(), expected.result.picture->data(), expected.result.picture->bytes()),
            0)
            << i;
    }
    for (const char* stage : {StageLog::kUpload, StageLog::kKernel, StageLog::kDownload}) {
        auto& times = spans[stage];
        ASSERT_GE(times.size(), kPictures) << stage;
        std::ranges::sort(times);
        for (std::size_t i = 1; i < times.size(); ++i)
            EXPECT_LE(times[i - 1].second, times[i].first) << stage << ": an engine does one thing at a time";
    }
}

INSTANTIATE_TEST_SUITE_P(Run, BesideOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
