// SPDX-License-Identifier: Apache-2.0
// Kernels compiled for the task at hand: what their launchers ask for, and that what they launch is right.
#if WARPLENS_HAVE_CUDA
#include "gpu/device/cuda/nvrtc.hpp"
#endif
#include "gpu/device/simt/launch.hpp"
#include "gpu/families/convolution/problem.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/families/convolution/tests/special_kernels.hpp"
#include "gpu/run/timing.hpp"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <thread>

namespace warplens::gpu::testing {
namespace {

/// A custom filter of distinct weights, the factors' product where it is to be separable.
std::string matrix(int width, int height) {
    std::ostringstream text;
    for (int y = 0; y < height; ++y) {
        text << (y > 0 ? ";" : "");
        for (int x = 0; x < width; ++x) text << (x > 0 ? " " : "") << (x % 4 + 1) * (y % 3 + 1);
    }
    return text.str();
}

struct Ran {
    std::map<std::string, std::string> files;  ///< of those asked for, by expression
    std::set<std::string> asked, launched;
    Verification check;
};

/// One row on the SIMT device, with the instances that `find` gives its launcher.
Ran run(const std::string& id, const std::shared_ptr<const io::Grid>& picture, const ParameterValues& parameters,
        bool give = true) {
    const Family& family = familyOf("convolution");
    const Variant& variant = variantOf(family, id);
    const auto problem = family.pose(picture, parameters);
    const auto device = openDevice("cpu");
    const auto arguments = dynamic_cast<const convolution::ConvolutionProblem&>(*problem).arguments();
    Ran ran;
    static_cast<SimtContext&>(device->context()).findSpecial = [&](const Special& special) {
        auto* const kernel = give ? specialKernel(device->context(), special, arguments) : nullptr;
        if (*special.refusal == '\0') {
            ran.asked.insert(special.expression());
            ran.files[special.expression()] = special.path();
        }
        if (kernel != nullptr) ran.launched.insert(special.expression());
        return kernel;
    };
    Resident resident;
    const auto session = problem->open(*device, resident);
    RunRecord record;
    record.tunables = problem->resolved(variant, {});
    EXPECT_EQ(problem->refusal(variant, record.tunables, device->info()), "") << id;
    makeResult(*device, *session, variant, record);
    ran.check = problem->verify(record.result, variant, {});
    return ran;
}

TEST(SpecialKernels, AreRightOverEveryBorderForExtentsThatTheProgramHoldsNoInstanceOf) {
    std::set<std::string> launched;
    const auto take = [&](const std::string& id, io::PixelType type, int width, int height, const std::string& border) {
        // Rows of a multiple of four values, whose blocks end in the midst of the picture, and a frame around them.
        const auto ran = run(id, noise({140, 61, 1, 2 + 1}, type),
                             {{"filter", std::string("custom")},
                              {"matrix", matrix(width, height)},
                              {"normalise", true},
                              {"border", border},
                              {"output-type", std::string("same")}});
        EXPECT_EQ(ran.check.mismatches, 0)
            << id << " " << border << " " << width << "x" << height << ": " << ran.check.firstMismatch;
        EXPECT_EQ(ran.launched.size(), 1U) << id << " " << io::nameOf(type) << " " << width << "x" << height;
        launched.insert(ran.launched.begin(), ran.launched.end());
    };
    for (const std::string border : {"zero", "replicate", "reflect", "wrap"}) {
        for (const std::string id : {"streamed", "register_blocked"}) {
            take(id, io::PixelType::f32, 11, 11, border);
            take(id, io::PixelType::f32, 7, 3, border);
            take(id, io::PixelType::f32, 5, 19, border);
            take(id, io::PixelType::u8, 13, 13, border);
        }
        take("streamed", io::PixelType::u16, 9, 9, border);
        take("separable_streamed", io::PixelType::f32, 11, 11, border);
        take("separable_streamed", io::PixelType::f32, 7, 3, border);
        take("separable_streamed", io::PixelType::u8, 13, 13, border);
        take("separable_ring", io::PixelType::f32, 11, 11, border);
        take("separable_ring", io::PixelType::u8, 25, 25, border);
        take("register_tiled", io::PixelType::f32, 11, 11, border);
        take("constant", io::PixelType::u16, 9, 9, border);
    }
    for (const std::string& name : specialKernels()) EXPECT_TRUE(launched.contains(name)) << name;
}

TEST(SpecialKernels, AreAskedForWhereTheProgramHoldsNoneAndOnlyThere) {
    const auto asked = [](const std::string& id, io::PixelType type, int width, int height, std::int64_t columns = 64) {
        return run(id, noise({columns, 3}, type),
                   {{"filter", std::string("custom")},
                    {"matrix", matrix(width, height)},
                    {"output-type", std::string("same")}},
                   false)
            .asked;
    };
    using Names = std::set<std::string>;
    const std::string prefix = "warplens::gpu::convolution::";
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 11, 11), Names{prefix + "streamed<float, 5, 5>"});
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 9, 9), Names{});  // the program's own
    EXPECT_EQ(asked("streamed", io::PixelType::u16, 9, 9), Names{prefix + "streamed<unsigned short, 4, 4>"});
    EXPECT_EQ(asked("register_blocked", io::PixelType::u16, 9, 9), Names{});
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 1, 31), Names{prefix + "streamed<float, 0, 15>"});
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 33, 1, 128), Names{});  // too large
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 11, 11, 66),
              Names{prefix + "streamed<float, 5, 5>"});                     // rows that no quad divides are padded
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 11, 11, 31), Names{});  // narrow ones are not
    EXPECT_EQ(asked("naive", io::PixelType::u8, 13, 13), Names{prefix + "naive<unsigned char, 6>"});
    EXPECT_EQ(asked("naive", io::PixelType::u8, 13, 11), Names{});
    EXPECT_EQ(asked("texture", io::PixelType::u8, 13, 13), Names{prefix + "textured<unsigned char, 6>"});
    EXPECT_EQ(asked("separable", io::PixelType::f32, 11, 11),
              (Names{prefix + "separable_rows<float, 5>", prefix + "separable_columns<5>"}));
    EXPECT_EQ(asked("register_tiled", io::PixelType::f32, 21, 21), Names{prefix + "register_tiled<float, 10, 8>"});
    EXPECT_EQ(asked("register_tiled", io::PixelType::f32, 31, 31), Names{});  // it would take too long
}

#if WARPLENS_HAVE_CUDA
/// What the rows of the ladder ask a compiler for with a filter of this extent.
std::map<std::string, std::string> instancesFor(io::PixelType type, int width, int height) {
    std::map<std::string, std::string> all;
    for (const Variant& variant : familyOf("convolution").variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        const ParameterValues parameters{
            {"filter", std::string("custom")}, {"matrix", matrix(width, height)}, {"output-type", std::string("same")}};
        const auto picture = noise({64, 1}, type);
        const auto problem = familyOf("convolution").pose(picture, parameters);
        const auto device = openDevice("cpu");
        if (!problem->refusal(variant, problem->resolved(variant, {}), device->info()).empty()) continue;
        all.merge(run(variant.id, picture, parameters, false).files);
    }
    return all;
}

// A few of them, or with WARPLENS_EVERY_INSTANCE set all that the program can ask for.
TEST(SpecialKernels, AreTakenByNvrtcForOldAndNewGpus) {
    if (const std::string why = cuda::nvrtcRefusal(0); !why.empty()) GTEST_SKIP() << why;
    std::map<std::string, std::string> all = instancesFor(io::PixelType::f32, 11, 11);
    EXPECT_GE(all.size(), 15U);
    all.merge(instancesFor(io::PixelType::u8, 1, 5));
    std::vector<int> capabilities{90};
    if (std::getenv("WARPLENS_EVERY_INSTANCE") != nullptr) {
        capabilities = {75, 90};
        for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
            for (int radius = 1; radius <= 15; ++radius) {
                const int side = 2 * radius + 1, other = 2 * ((radius * 7) % 16) + 1;
                all.merge(instancesFor(type, side, side));
                all.merge(instancesFor(type, side, other));
                all.merge(instancesFor(type, other, side));
            }
        }
        EXPECT_GT(all.size(), 600U);
    }
    double longest = 0;
    for (const auto& [expression, file] : all) {
        const bool rowAndColumn = file.find("separable") != std::string::npos;
        const std::string prefix = "warplens::gpu::convolution::constant";
        std::vector<std::string> constants{prefix + "Filter"};
        if (rowAndColumn) constants = {prefix + "Row", prefix + "Column"};
        if (file.find("/naive.cuh") != std::string::npos) constants.clear();
        for (const int capability : capabilities) {
            const auto made = cuda::compile({file, expression, constants, capability}, {});
            EXPECT_FALSE(made.function.empty()) << expression;
            EXPECT_EQ(made.constants.size(), constants.size()) << expression;
            if (made.compileMs > longest) {
                longest = made.compileMs;
                RecordProperty("longest", expression + " " + std::to_string(longest) + " ms");
            }
        }
    }
}
#endif

class SpecialOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { needDevice(GetParam()); }
    /// Whether something compiles here. The driver's forced JIT takes no code that is compiled already.
    static bool compiles() {
        return GetParam() != "cpu" && specialisingState().why.empty() && std::getenv("CUDA_FORCE_PTX_JIT") == nullptr;
    }
};

TEST_P(SpecialOnDevice, RunsTheInstanceOfTheTaskAndSaysSo) {
    Request request = requestFor(noise({264, 70}, io::PixelType::f32), {{"radius", std::int64_t{5}}}, GetParam());
    request.variants = {"naive", "tiled_output", "register_blocked", "streamed", "separable", "separable_streamed"};
    const auto runs = Runner().run(request).runs;
    EXPECT_EQ(runs.size(), request.variants.size());
    for (const RunRecord& run : runs) {
        EXPECT_EQ(run.status, Status::ok) << describe(run);
        const auto special = run.launch->special;
        if (GetParam() == "cpu") {
            EXPECT_FALSE(special);
            continue;
        }
        ASSERT_TRUE(special) << run.variant;
        EXPECT_EQ(special->used, special->reason.empty()) << special->reason;
        if (!compiles()) continue;
        EXPECT_TRUE(special->used) << run.variant << ": " << special->reason;
        EXPECT_GT(special->compileMs, 0);
    }
    request.parameters = {{"radius", std::int64_t{2}}};
    for (const RunRecord& run : Runner().run(request).runs)
        EXPECT_FALSE(run.launch->special) << run.variant << " has an instance of its own";
}

TEST_P(SpecialOnDevice, TheGeneralInstanceAnswersUntilItIsThere) {
    const auto picture = noise({264, 70}, io::PixelType::u16);
    const auto problem =
        familyOf("convolution").pose(picture, {{"filter", std::string("custom")}, {"matrix", matrix(23, 3)}});
    const Variant& variant = variantOf(familyOf("convolution"), "streamed");
    const auto device = openDevice(GetParam());
    device->setPatience(0);
    Resident resident;
    const auto session = problem->open(*device, resident);
    RunRecord record;
    record.tunables = problem->resolved(variant, {});
    bool used = false;
    for (int turn = 0; turn < 1200 && !used; ++turn) {
        makeResult(*device, *session, variant, record);
        EXPECT_EQ(problem->verify(record.result, variant, {}).mismatches, 0);
        if (!compiles()) return;
        ASSERT_TRUE(record.launch->special);
        used = record.launch->special->used;
        if (!used) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_TRUE(used) << record.launch->special->reason;
}

INSTANTIATE_TEST_SUITE_P(Convolution, SpecialOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
