// SPDX-License-Identifier: Apache-2.0
// Convolution slab by slab: the in-core result, bit by bit, whatever the cut.
#include "gpu/core/error.hpp"
#include "gpu/families/convolution/launcher.hpp"
#include "gpu/families/convolution/slab_session.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/gpu/stopping_device.hpp"
#include "tests/support/devices.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

using convolution::ConvolutionProblem;

ParameterValues parametersOf(const std::string& dimensions, std::int64_t radius, const std::string& border) {
    return {{"dimensions", dimensions}, {"radius", radius}, {"border", border}};
}

/// Every rung that can run, twice over, so that a row meets what the one before it left.
void expectSame(Device& device, const ConvolutionProblem& problem, const std::string& what, const SlabPlan& plan) {
    Resident whole, none;
    const auto inCore = problem.open(device, whole);
    const auto slabs = convolution::openSlabSession(problem, {&device}, none, plan);
    for (const Variant& variant : familyOf("convolution").variants()) {
        const auto tunables = resolve(variant, {});
        if (variant.kind == Variant::Kind::library || !problem.refusal(variant, tunables, device.info()).empty())
            continue;
        std::shared_ptr<const io::Grid> results[2];
        for (const bool slab : {false, true}) {
            Session& session = slab ? *slabs : *inCore;
            double layoutMs = 0, downloadMs = 0;
            session.prepare(variant, tunables);
            session.poisonOutput();
            session.pass(device);
            results[slab ? 1 : 0] = session.download(layoutMs, downloadMs).picture;
            session.pass(device);  // for the clock; must leave the result alone
        }
        ASSERT_EQ(results[0]->bytes(), results[1]->bytes());
        ASSERT_EQ(std::memcmp(results[0]->data(), results[1]->data(), results[0]->bytes()), 0)
            << what << ": " << variant.id << ": " << plan.sentence();
    }
}

class SlabsOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        needDevice(GetParam());
        if (!IsSkipped()) m_device = openDevice(GetParam());
    }
    std::unique_ptr<Device> m_device;
};

TEST_P(SlabsOnDevice, AreBitEqualHoweverTheVolumeIsCut) {
    struct Case {
        io::Shape shape;
        io::PixelType type;
    };
    for (const Case& one : {Case{{13, 9, 7}, io::PixelType::f32}, Case{{35, 5, 5, 4}, io::PixelType::u8},
                            Case{{6, 11, 2, 3}, io::PixelType::u16}}) {
        const auto input = noise(one.shape, one.type);
        for (const std::string dimensions : {"2", "3"}) {
            for (const std::string border : {"zero", "replicate", "reflect", "wrap"}) {
                for (const int radius : {0, 1, 3}) {
                    // Slice by slice nothing crosses a seam, whatever the border.
                    if (dimensions == "2" && (border != "wrap" || radius != 1)) continue;
                    const ConvolutionProblem problem(input, parametersOf(dimensions, radius, border));
                    for (std::int64_t slices = 1; slices <= one.shape.depth; ++slices) {
                        const std::int64_t halo = problem.filter().depth / 2;
                        expectSame(*m_device, problem, dimensions + "D " + border + " r" + std::to_string(radius),
                                   {.depth = one.shape.depth,
                                    .slices = slices,
                                    .halo = halo,
                                    .bytes = convolution::deviceBytes(problem, slices, halo)});
                    }
                }
            }
        }
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
            request.memoryCap = convolution::deviceBytes(problem, 6, halo) - 1;
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
    request.memoryCap = 20000;
    const auto comparison = Runner().run(request);
    EXPECT_FALSE(comparison.plan.empty());
    ASSERT_EQ(comparison.runs.front().status, Status::ok) << describe(comparison.runs.front());
    EXPECT_EQ(comparison.runs.front().time->samples, 5);
}

TEST_P(SlabsOnDevice, ALimitUnderOneSliceIsRefusedWithTheBytesNeeded) {
    auto request = requestFor(noise({64, 64, 16}, io::PixelType::f32), parametersOf("3", 2, "zero"), GetParam());
    request.memoryCap = 64 * 64 * 4 * 6;  // five slices in, one out, and nothing for the weights
    try {
        Runner().run(request);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::outOfMemory);
        EXPECT_NE(std::string(error.what()).find("needs 98804 bytes and 98304 may be used"), std::string::npos)
            << error.what();
    }
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
    for (const StoppingDevice* device : {&second, &third, &fourth})
        EXPECT_EQ(device->uploads(), 1 + 1 + 2) << "weights, the first slab at opening, two of six slabs";
}

INSTANTIATE_TEST_SUITE_P(Convolution, SlabsOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
