// SPDX-License-Identifier: Apache-2.0
// Convolution slab by slab: the in-core result, bit by bit, whatever the cut.
#include "gpu/core/error.hpp"
#include "gpu/families/convolution/launcher.hpp"
#include "gpu/families/convolution/ring_session.hpp"
#include "gpu/families/convolution/slab_session.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/slab_ring.hpp"
#include "tests/gpu/late_device.hpp"
#include "tests/gpu/stopping_device.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using convolution::ConvolutionProblem;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

ParameterValues parametersOf(const std::string& dimensions, std::int64_t radius, const std::string& border) {
    return {{"dimensions", dimensions}, {"radius", radius}, {"border", border}};
}

/// A problem's results on a device, as a whole and in slabs.
class BothWays {
public:
    BothWays(Device& device, const ConvolutionProblem& problem) : m_device(device), m_problem(problem) {
        Resident resident;
        const auto session = problem.open(device, resident);
        for (const Variant& variant : familyOf("convolution").variants()) {
            const auto tunables = problem.resolved(variant, {}, device.info());
            if (variant.kind == Variant::Kind::kernel && problem.refusal(variant, tunables, device.info()).empty())
                m_whole.emplace_back(&variant, resultOf(*session, variant));
        }
    }

    /// In turn or overlapped: every rung that can run, twice over, so that a row meets what the one before it left.
    void expectSame(const std::string& what, const SlabPlan& plan) const {
        Resident none;
        const auto session = plan.overlapped ? convolution::openRingSession(m_problem, {&m_device}, none, plan)
                                             : convolution::openSlabSession(m_problem, {&m_device}, none, plan);
        for (const auto& [variant, whole] : m_whole) {
            const auto cut = resultOf(*session, *variant);
            ASSERT_EQ(whole->bytes(), cut->bytes());
            ASSERT_EQ(std::memcmp(whole->data(), cut->data(), whole->bytes()), 0)
                << what << ": " << variant->id << ": " << plan.sentence();
            const auto slabs = session->slabs();
            ASSERT_TRUE(slabs) << what;
            EXPECT_EQ(std::tie(slabs->lines, slabs->each, slabs->halo), std::tie(plan.depth, plan.slices, plan.halo));
            EXPECT_EQ(slabs->held, (std::vector<SlabMap::Stretch>{{0, 0, plan.depth}})) << plan.sentence();
        }
    }

private:
    std::shared_ptr<const io::Grid> resultOf(Session& session, const Variant& variant) const {
        double layoutMs = 0, downloadMs = 0;
        session.prepare(variant, m_problem.resolved(variant, {}, m_device.info()));
        session.poisonOutput();
        session.pass(m_device);
        auto picture = session.download(layoutMs, downloadMs).picture;
        session.pass(m_device);  // for the clock; must leave the result alone
        return picture;
    }

    Device& m_device;
    const ConvolutionProblem& m_problem;
    std::vector<std::pair<const Variant*, std::shared_ptr<const io::Grid>>> m_whole;
};

class SlabsOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (!IsSkipped()) m_device = openDevice(GetParam());
    }
    std::unique_ptr<Device> m_device;
};

TEST_P(SlabsOnDevice, AreBitEqualHoweverTheVolumeIsCut) {
    struct Case {
        io::Shape shape;
        io::PixelType type;
    };
    int place = 0;
    for (const Case& one : {Case{{13, 9, 7}, io::PixelType::f32}, Case{{35, 5, 5, 4}, io::PixelType::u8},
                            Case{{6, 11, 2, 3}, io::PixelType::u16}}) {
        const auto input = noise(one.shape, one.type);
        for (const std::string dimensions : {"2", "3"}) {
            for (const std::string border : {"zero", "replicate", "reflect", "wrap"}) {
                for (const int radius : {0, 1, 3}) {
                    // Slice by slice nothing crosses a seam, whatever the border, nor does a filter of one slice.
                    if (dimensions == "2" && (border != "wrap" || radius != 1)) continue;
                    if (radius == 0 && border != "wrap") continue;
                    if (warplens::testing::skippedUnderSanitizer(place++)) continue;
                    const ConvolutionProblem problem(input, parametersOf(dimensions, radius, border));
                    const BothWays ways(*m_device, problem);
                    for (std::int64_t slices = 1; slices <= one.shape.depth; ++slices) {
                        const std::int64_t halo = problem.filter().depth / 2;
                        ways.expectSame(dimensions + "D " + border + " r" + std::to_string(radius),
                                        {.depth = one.shape.depth,
                                         .slices = slices,
                                         .halo = halo,
                                         .bytes = convolution::deviceBytes(problem, slices, halo),
                                         .overlapped = (slices + radius) % 2 == 0});
                    }
                }
            }
        }
    }
}

// A block of a slab may lie inside where the whole volume's reaches the border: each rung has to round both alike.
TEST_P(SlabsOnDevice, AreBitEqualWhereBlocksLieInside) {
    const ConvolutionProblem problem(noise({72, 28, 12}, io::PixelType::f32), parametersOf("3", 2, "zero"));
    const BothWays ways(*m_device, problem);
    for (const bool overlapped : {false, true}) {
        ways.expectSame("wide", {.depth = 12,
                                 .slices = 5,
                                 .halo = 2,
                                 .bytes = convolution::deviceBytes(problem, 5, 2),
                                 .overlapped = overlapped});
    }
}

TEST_P(SlabsOnDevice, ALimitMakesThemAndThePlanIsTold) {
    for (const std::string dimensions : {"2", "3"}) {
        for (const auto& [channels, type] :
             std::vector<std::pair<int, io::PixelType>>{{1, io::PixelType::f32}, {4, io::PixelType::u8}}) {
            const auto input = noise({40, 30, 23, channels}, type);
            auto request = requestFor(input, parametersOf(dimensions, 2, "wrap"), GetParam());
            Runner runner;
            const auto whole = runner.run(request);
            EXPECT_EQ(whole.plan, "");

            const ConvolutionProblem problem(input, request.parameters);
            const std::int64_t halo = problem.filter().depth / 2;
            // One byte less than 6 slices need: the device holds the session to it.
            request.memoryCap = convolution::ringBytes(problem, 6, halo) - 1;
            std::vector<std::string> told;
            const auto cut =
                runner.run(request, {},
                           {.progress = [&](double, const std::string& what) { told.push_back(what); }, .record = {}});
            EXPECT_EQ(cut.plan.rfind("5 slabs of 5 slices, halo " + std::to_string(halo) + ", ", 0), 0U) << cut.plan;
            ASSERT_GE(told.size(), 2U);
            EXPECT_EQ(told[1], cut.plan) << "stated before anything runs, right after the first variant's name";
            ASSERT_EQ(whole.runs.size(), cut.runs.size());
            for (std::size_t i = 0; i < cut.runs.size(); ++i) {
                ASSERT_EQ(cut.runs[i].status, whole.runs[i].status) << describe(cut.runs[i]);
                if (cut.runs[i].status != Status::ok || cut.runs[i].kind == Variant::Kind::library) continue;
                EXPECT_GT(*cut.runs[i].uploadMs, 0);
                ASSERT_TRUE(cut.runs[i].slabs && !whole.runs[i].slabs);
                EXPECT_EQ(std::tie(cut.runs[i].slabs->axis, cut.runs[i].slabs->each, cut.runs[i].slabs->halo),
                          std::tuple(2, 5, halo));
                EXPECT_THAT(cut.runs[i].reason, MatchesRegex("overlapped: .* in all, its busiest engine .* exposed"));
                EXPECT_GT(cut.runs[i].time->medianMs, 0);
                EXPECT_EQ(std::memcmp(cut.runs[i].result.picture->data(), whole.runs[i].result.picture->data(),
                                      input->bytes()),
                          0)
                    << cut.runs[i].variant;
            }
            request.memoryCap = 0;
            EXPECT_EQ(runner.run(request).plan, "") << "without the limit the same runner works in core again";
        }
    }
}

TEST_P(SlabsOnDevice, TimingMoreThanOnceGivesTheSameResult) {
    auto request = requestFor(noise({30, 20, 9}, io::PixelType::u16), parametersOf("3", 1, "reflect"), GetParam());
    request.timing = {.warmUps = 3, .minimumSamples = 5, .maximumSamples = 5, .budgetSeconds = 5};
    request.variants = {"constant"};
    request.memoryCap = 30000;
    const auto comparison = Runner().run(request);
    EXPECT_THAT(comparison.plan, HasSubstr(", overlapped"));
    ASSERT_EQ(comparison.runs.front().status, Status::ok) << describe(comparison.runs.front());
    EXPECT_EQ(comparison.runs.front().time->samples, 5);
}

// Later passes fetch nothing, so that their total is not that of both ways.
TEST_P(SlabsOnDevice, WhatIsToldIsThePassThatMadeTheResult) {
    const ConvolutionProblem problem(noise({30, 20, 9}, io::PixelType::f32), parametersOf("3", 1, "reflect"));
    Resident resident;
    const auto session = convolution::openRingSession(
        problem, {m_device.get()}, resident,
        convolution::planRing(problem, convolution::ringBytes(problem, 3, 1), m_device->info().id));
    const auto told = [&] { return *session->overlap(); };
    const Variant& constant = variantOf(familyOf("convolution"), "constant");
    session->prepare(constant, problem.resolved(constant, {}, m_device->info()));
    session->poisonOutput();
    session->pass(*m_device);
    double layoutMs = 0, downloadMs = 0;
    const Result made = session->download(layoutMs, downloadMs);
    const SlabOverlap first = told();
    EXPECT_GT(first.sums.download, 0);
    EXPECT_EQ(first.sums.download, downloadMs);
    EXPECT_GT(session->pass(*m_device), 0);
    EXPECT_EQ(told().totalMs, first.totalMs);
    EXPECT_EQ(told().sums.download, first.sums.download);
}

TEST_P(SlabsOnDevice, ALimitUnderOneSliceIsRefusedWithTheBytesNeeded) {
    auto request = requestFor(noise({64, 64, 16}, io::PixelType::f32), parametersOf("3", 2, "zero"), GetParam());
    request.memoryCap = 64 * 64 * 4 * 16;  // five slices in, one out, twice five of scratch, nothing for the weights
    try {
        Runner().run(request);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::outOfMemory);
        EXPECT_NE(std::string(error.what()).find("needs 262644 bytes and 262144 may be used"), std::string::npos)
            << error.what();
    }
}

/// A lane may be as late as its waits allow, whatever the machine does.
TEST(Slabs, OverlapInEveryOrderThatTheWaitsAllow) {
    std::vector<int> ranks{0, 1, 2};
    do {
        LateDevice device(ranks);
        for (const int channels : {1, 3}) {
            const ConvolutionProblem problem(noise({9, 8, 11, channels}, io::PixelType::u8),
                                             parametersOf("3", 1, "reflect"));
            const Variant& variant = familyOf("convolution").variants().front();
            Resident whole, none;
            const auto inCore = problem.open(device, whole);
            const auto slabs = convolution::openRingSession(problem, {&device}, none,
                                                            {.depth = 11, .slices = 2, .halo = 1, .bytes = 0});
            std::vector<std::shared_ptr<const io::Grid>> results;
            for (Session* session : {inCore.get(), slabs.get()}) {
                double layoutMs = 0, downloadMs = 0;
                session->prepare(variant, resolve(variant, {}));
                session->poisonOutput();
                session->pass(device);
                results.push_back(session->download(layoutMs, downloadMs).picture);
            }
            ASSERT_EQ(std::memcmp(results[0]->data(), results[1]->data(), results[0]->bytes()), 0)
                << channels << " channels, order " << ranks[0] << ranks[1] << ranks[2];
        }
    } while (std::next_permutation(ranks.begin(), ranks.end()));
}

TEST(Slabs, StopBetweenTwoOfThem) {
    const auto input = noise({16, 16, 12}, io::PixelType::f32);
    const ConvolutionProblem problem(input, parametersOf("3", 1, "zero"));
    std::stop_source stop;
    StoppingDevice device(stop, 1 + 1 + 3);  // weights, the first slab at opening, three slabs of the pass
    Resident none;
    const auto session =
        convolution::openSlabSession(problem, {&device}, none, {.depth = 12, .slices = 2, .halo = 1, .bytes = 0});
    const Variant& variant = familyOf("convolution").variants().front();
    session->prepare(variant, resolve(variant, {}));
    session->poisonOutput();
    try {
        session->pass(device);
        FAIL() << "ran to the end";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::cancelled);
    }
    EXPECT_EQ(device.uploads(), 5) << "the slab that was on its way is the last";
}

TEST(Slabs, AreSharedByAllDevicesOfTheList) {
    const auto input = noise({16, 9, 11, 3}, io::PixelType::u8);
    const ConvolutionProblem problem(input, parametersOf("3", 1, "wrap"));
    const SlabPlan plan{.depth = 11, .slices = 2, .halo = 1, .bytes = 0};
    const Variant& variant = familyOf("convolution").variants().front();
    const auto resultOf = [&](Session& session, Device& device) {
        double layoutMs = 0, downloadMs = 0;
        session.prepare(variant, resolve(variant, {}));
        session.poisonOutput();
        session.pass(device);
        return session.download(layoutMs, downloadMs).picture;
    };
    std::stop_source never;
    StoppingDevice first(never, 0), second(never, 0), third(never, 0), fourth(never, 0);
    Resident whole, none;
    const auto expected = resultOf(*problem.open(first, whole), first);
    const std::vector<Device*> devices{&second, &third, &fourth};
    const auto got = resultOf(*convolution::openSlabSession(problem, devices, none, plan), first);
    EXPECT_EQ(std::memcmp(expected->data(), got->data(), got->bytes()), 0);
    int uploads = 0;
    for (const StoppingDevice* device : {&second, &third, &fourth}) {
        EXPECT_GE(device->uploads(), 1 + 1 + 1) << "weights, the first slab at opening, at least one of six slabs";
        uploads += device->uploads();
    }
    EXPECT_EQ(uploads, 3 * (1 + 1) + 6);
}

/// However many devices there are, and slices; also fewer slices than devices.
TEST(Slabs, SeveralDevicesAtOnceMakeTheBitsOfOne) {
    std::vector<std::unique_ptr<Device>> opened;
    for (int i = 0; i < 5; ++i) opened.emplace_back(openDevice("cpu"))->setScheduling({.workers = 1});
    const auto resultOf = [&](Session& session, const Variant& variant) {
        double layoutMs = 0, downloadMs = 0;
        session.prepare(variant, resolve(variant, {}));
        session.poisonOutput();
        session.launch();
        session.pass(*opened.front());
        auto picture = session.download(layoutMs, downloadMs).picture;
        session.pass(*opened.front());  // for the clock; must leave the result alone
        return picture;
    };
    for (const std::int64_t depth : {2, 3, 7, 13}) {
        const auto input = noise({9, 8, depth, depth == 7 ? 4 : 1}, io::PixelType::u8);
        for (const std::string border : {"zero", "replicate", "reflect", "wrap"}) {
            const ConvolutionProblem problem(input, parametersOf("3", 2, border));
            for (const std::string id : {"naive", "constant", "streamed"}) {
                const Variant& variant = variantOf(familyOf("convolution"), id);
                if (!problem.refusal(variant, resolve(variant, {}), opened.front()->info()).empty()) continue;
                Resident whole;
                const auto expected = resultOf(*problem.open(*opened.front(), whole), variant);
                for (std::size_t count = 1; count <= opened.size(); ++count) {
                    std::vector<Device*> devices;
                    for (std::size_t i = 0; i < count; ++i) devices.push_back(opened[i].get());
                    Resident none;
                    const auto session = problem.openOver(devices, none, HaloExchangeMode::overlapped);
                    const auto got = resultOf(*session, variant);
                    ASSERT_EQ(std::memcmp(expected->data(), got->data(), got->bytes()), 0)
                        << id << ", " << border << ", " << depth << " slices: " << session->plan();
                    EXPECT_EQ(session->plan().find("devices at once") != std::string::npos, count > 1);
                }
            }
        }
    }
}

TEST(Slabs, ThePlanTellsWhichDeviceComputedWhat) {
    const auto first = openDevice("cpu"), second = openDevice("cpu"), third = openDevice("cpu");
    const ConvolutionProblem problem(noise({9, 8, 2}, io::PixelType::f32), parametersOf("3", 1, "zero"));
    Resident none;
    const auto session = problem.openOver({first.get(), second.get(), third.get()}, none, HaloExchangeMode::overlapped);
    const Variant& variant = familyOf("convolution").variants().front();
    session->prepare(variant, resolve(variant, {}));
    const std::string before = session->plan();
    EXPECT_EQ(before.substr(before.find(';')),
              "; 3 devices at once, each takes a stretch of them: cpu slices 0 to 0, cpu slices 1 to 1, cpu none");
    EXPECT_EQ(before.find("2 slabs of 1 slice, halo 1"), 0U) << before;
    session->pass(*first);
    EXPECT_EQ(session->plan(), before);
    // Slabs in turn, as where one device is slower: who took which is known afterwards.
    const auto inTurn = convolution::openSlabSession(problem, {first.get(), second.get(), third.get()}, none,
                                                     {.depth = 2, .slices = 1, .halo = 1, .bytes = 0});
    inTurn->prepare(variant, resolve(variant, {}));
    const std::string open = inTurn->plan();
    EXPECT_EQ(open.substr(open.find(';')), "; 3 devices at once, each takes the next slab when it is free");
    inTurn->pass(*first);
    EXPECT_EQ(inTurn->plan(), open + ": cpu slices 0 to 0, cpu slices 1 to 1, cpu none");
    const ConvolutionProblem picture(noise({9, 8}, io::PixelType::f32), parametersOf("2", 1, "zero"));
    EXPECT_EQ(picture.singleDeviceReason(), "devices share the slices of a volume, and this is one picture");
}

TEST(Slabs, AStopEndsAllDevices) {
    const ConvolutionProblem problem(noise({16, 16, 40}, io::PixelType::f32), parametersOf("3", 1, "zero"));
    std::stop_source stop;
    StoppingDevice one(stop, 1 + 1 + 3), other(stop, 0);
    Resident none;
    const auto session =
        convolution::openSlabSession(problem, {&one, &other}, none, {.depth = 40, .slices = 1, .halo = 1, .bytes = 0});
    const Variant& variant = familyOf("convolution").variants().front();
    session->prepare(variant, resolve(variant, {}));
    for (int pass = 0; pass < 40; ++pass) {  // until the first device has had three slabs
        try {
            session->pass(one);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::cancelled);
            EXPECT_EQ(one.uploads(), 5) << "the slab that was on its way is the last";
            return;
        }
    }
    FAIL() << "ran to the end";
}

INSTANTIATE_TEST_SUITE_P(Convolution, SlabsOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
