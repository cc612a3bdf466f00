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
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
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

constexpr const char* kOfWeights = " of its weights";

struct Ran {
    std::map<std::string, std::string> files;  ///< of those asked for, by expression
    std::set<std::string> asked, launched;     ///< expressions, kOfWeights behind that of an instance for these alone
    Verification check;
    Result result;
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
        const bool constant = special.weights != nullptr;
        const auto find = constant ? &constantKernel : &specialKernel;
        auto* const kernel = give ? find(device->context(), special, arguments) : nullptr;
        const std::string name = special.expression() + (constant ? kOfWeights : "");
        if (*special.refusal == '\0') {
            ran.asked.insert(name);
            ran.files[special.expression()] = special.path();
        }
        if (kernel != nullptr) ran.launched.insert(name);
        return kernel;
    };
    Resident resident;
    const auto session = problem->open(*device, resident);
    RunRecord record;
    record.tunables = problem->resolved(variant, {}, device->info());
    EXPECT_EQ(problem->refusal(variant, record.tunables, device->info()), "") << id;
    makeResult(*device, *session, variant, record);
    ran.check = problem->verify(record.result, variant, {});
    ran.result = record.result;
    return ran;
}

TEST(SpecialKernels, AreTheSameWhereACompilerIsGivenTheSame) {
    const std::vector<float> zero{1, 0}, minus{1, -0.0F}, alike = zero;
    const Special one{.family = "convolution",
                      .file = "streamed",
                      .kernel = "streamed",
                      .type = "unsigned char",
                      .numbers = {6, 6},
                      .count = 2};
    const auto with = [&](auto change) {
        Special other = one;
        change(other);
        return other;
    };
    const std::vector<Special> all{one,
                                   with([](Special& s) { s.family = "stencil"; }),
                                   with([](Special& s) { s.file = "naive"; }),
                                   with([](Special& s) { s.kernel = "naive"; }),
                                   with([](Special& s) { s.type = "float"; }),
                                   with([](Special& s) { s.numbers[1] = 5; }),
                                   with([](Special& s) { s.count = 1; }),
                                   with([](Special& s) { s.output = "float"; }),
                                   with([&](Special& s) { s.weights = &zero; }),
                                   with([&](Special& s) { s.weights = &minus; })};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j)
            EXPECT_EQ(SpecialKey(all[i]) == SpecialKey(all[j]), i == j) << i << " " << j;
    }
    EXPECT_TRUE(SpecialKey(with([&](Special& s) { s.weights = &alike; })) == SpecialKey(all[8]));
}

TEST(SpecialKernels, AreRightOverEveryBorderForExtentsThatTheProgramHoldsNoInstanceOf) {
    std::set<std::string> launched;
    const auto take = [&](const std::string& id, io::PixelType type, int width, int height, const std::string& border,
                          const std::string& output = "same") {
        // Rows of a multiple of four values, whose blocks end in the midst of the picture, and a frame around them.
        const auto ran = run(id, noise({140, 61, 1, 2 + 1}, type),
                             {{"filter", std::string("custom")},
                              {"matrix", matrix(width, height)},
                              {"normalise", true},
                              {"border", border},
                              {"output-type", output}});
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
            take(id, io::PixelType::u8, 13, 13, border, "f32");
        }
        take("streamed", io::PixelType::u16, 9, 9, border);
        take("separable_streamed", io::PixelType::f32, 11, 11, border);
        take("separable_streamed", io::PixelType::f32, 7, 3, border);
        take("separable_streamed", io::PixelType::u8, 13, 13, border);
        take("separable_streamed", io::PixelType::u8, 13, 13, border, "f32");
        take("separable_ring", io::PixelType::f32, 11, 11, border);
        take("separable_ring", io::PixelType::u8, 25, 25, border);
        take("register_tiled", io::PixelType::f32, 11, 11, border);
        take("constant", io::PixelType::u16, 9, 9, border);
    }
    for (const std::string& name : specialKernels()) EXPECT_TRUE(launched.contains(name)) << name;
}

TEST(SpecialKernels, AreAskedForWhereTheProgramHoldsNoneAndOnlyThere) {
    const auto asked = [](const std::string& id, io::PixelType type, int width, int height, std::int64_t columns = 64,
                          const std::string& output = "same") {
        return run(id, noise({columns, 3}, type),
                   {{"filter", std::string("custom")}, {"matrix", matrix(width, height)}, {"output-type", output}},
                   false)
            .asked;
    };
    using Names = std::set<std::string>;
    const std::string prefix = "warplens::gpu::convolution::";
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 11, 11), Names{prefix + "streamed<float, 5, 5>"});
    EXPECT_EQ(asked("streamed", io::PixelType::f32, 9, 9), Names{});  // the program's own
    EXPECT_EQ(asked("streamed", io::PixelType::u16, 9, 9), Names{prefix + "streamed<unsigned short, 4, 4>"});
    EXPECT_EQ(asked("register_blocked", io::PixelType::u16, 9, 9), Names{});
    EXPECT_EQ(asked("streamed", io::PixelType::u8, 13, 13, 64, "f32"),
              Names{prefix + "streamed<unsigned char, 6, 6, float>"});
    EXPECT_EQ(asked("streamed", io::PixelType::u8, 9, 9, 64, "f32"), Names{});
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

TEST(SpecialKernels, ForTheirVeryWeightsGiveTheSameBitsOverEveryBorder) {
    for (const auto& [id, type] : {std::pair("streamed", io::PixelType::f32),
                                   {"streamed", io::PixelType::u8},
                                   {"register_blocked", io::PixelType::f32},
                                   {"register_blocked", io::PixelType::u8},
                                   {"register_blocked", io::PixelType::u16}}) {
        for (const std::string border : {"zero", "wrap"}) {
            const auto picture = noise({140, 61, 1, 2}, type);
            const ParameterValues values{
                {"filter", std::string("custom")}, {"matrix", std::string(kCross)}, {"border", border}};
            const Ran ran = run(id, picture, values), general = run(id, picture, values, false);
            EXPECT_EQ(ran.check.mismatches, 0) << id << " " << border << ": " << ran.check.firstMismatch;
            ASSERT_EQ(ran.launched.size(), 1U) << id;
            EXPECT_NE(ran.launched.begin()->find(kOfWeights), std::string::npos);
            const auto& a = *ran.result.picture;
            const auto& b = *general.result.picture;
            ASSERT_EQ(a.bytes(), b.bytes());
            EXPECT_EQ(std::memcmp(a.data(), b.data(), a.bytes()), 0) << id << " " << io::nameOf(type) << " " << border;
        }
    }
}

// By the definition a value that is not finite makes NaN of a weight of 0, and zeros that vanish would not.
TEST(SpecialKernels, ForTheirVeryWeightsKeepWhatIsNotFinite) {
    const auto picture = noise({140, 61}, io::PixelType::f32);
    float* const values = picture->as<float>();
    values[30 * 140 + 70] = std::numeric_limits<float>::infinity();
    values[52 * 140 + 100] = std::numeric_limits<float>::quiet_NaN();
    values[3 * 140 + 20] = -std::numeric_limits<float>::infinity();  // in the frame's windows as well
    for (const std::string id : {"streamed", "register_blocked"}) {
        const ParameterValues cross{{"filter", std::string("custom")}, {"matrix", std::string(kCross)}};
        const Ran ran = run(id, picture, cross);
        EXPECT_EQ(ran.launched.size(), 1U) << id;
        EXPECT_EQ(ran.check.mismatches, 0) << id << ": " << ran.check.firstMismatch;
        const io::Grid& result = *ran.result.picture;
        int nans = 0;
        for (std::int64_t y = 10; y < 50; ++y)
            for (std::int64_t x = 40; x < 90; ++x) nans += std::isnan(result.value(x, y, 0, 0)) ? 1 : 0;
        EXPECT_EQ(nans, 13 * 13 - 24) << id << ": infinite where a weight is not 0";
    }
}

TEST(SpecialKernels, AreForTheirVeryWeightsWhereAThirdOfThemIsZeroAndNoLongerLoopIsLeft) {
    const auto asked = [](const std::string& id, io::PixelType type, const ParameterValues& values) {
        return run(id, noise({128, 3}, type), values, false).asked;
    };
    const auto named = [](const char* filter, std::int64_t radius = 1) {
        return ParameterValues{{"filter", std::string(filter)}, {"radius", radius}, {"angle", 0.0}};
    };
    using Names = std::set<std::string>;
    const std::string prefix = "warplens::gpu::convolution::";
    const auto f32 = io::PixelType::f32;
    EXPECT_EQ(asked("streamed", f32, named("sobel_x")), Names{prefix + "streamed<float, 1, 1>" + kOfWeights});
    EXPECT_EQ(asked("register_blocked", io::PixelType::u8, named("laplacian")),
              Names{prefix + "register_blocked<unsigned char, 1, 1, float>" + kOfWeights});
    EXPECT_EQ(asked("streamed", f32, named("laplacian8")), Names{});
    EXPECT_EQ(asked("streamed", f32, named("gaussian", 3)), Names{});
    EXPECT_EQ(asked("naive", f32, named("sobel_x")), Names{}) << "reads its weights in a loop";
    // An extent that the program does not hold: the one for all filters of it comes next.
    EXPECT_EQ(asked("register_blocked", f32, named("motion", 8)),
              (Names{prefix + "register_blocked<float, 8, 8>", prefix + "register_blocked<float, 8, 8>" + kOfWeights}));
    EXPECT_EQ(asked("register_blocked", f32, named("motion", 11)), Names{prefix + "register_blocked<float, 11, 11>"})
        << "more than a compiler unrolls";
    EXPECT_EQ(asked("streamed", f32, named("motion", 15)),
              (Names{prefix + "streamed<float, 15, 15>", prefix + "streamed<float, 15, 15>" + kOfWeights}));
    // Half of the rows' weights are 0, but 242 of them are not: too many to unroll.
    std::string half;
    for (int y = 0; y < 31; ++y) {
        half += y > 0 ? ";" : "";
        for (int x = 0; x < 31; ++x) half += x % 2 == 1 && y % 2 == 1 ? " 0" : x < 12 ? " 0" : " 1";
    }
    EXPECT_EQ(asked("register_blocked", f32, {{"filter", std::string("custom")}, {"matrix", half}}),
              Names{prefix + "register_blocked<float, 15, 15>"});
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
        if (!problem->refusal(variant, problem->resolved(variant, {}, device->info()), device->info()).empty())
            continue;
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
    void SetUp() override { requireDevice(GetParam()); }
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
    device->setCompileTimeout(0);
    Resident resident;
    const auto session = problem->open(*device, resident);
    RunRecord record;
    record.tunables = problem->resolved(variant, {}, device->info());
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

// Zeros that the code leaves out make NaN of what is not finite all the same.
TEST_P(SpecialOnDevice, TakesTheWeightsAsConstantsWhereThatPaysAndSaysSo) {
    const auto picture = noise({264, 70}, io::PixelType::f32);
    picture->as<float>()[30 * 264 + 70] = std::numeric_limits<float>::infinity();
    picture->as<float>()[40 * 264 + 200] = std::numeric_limits<float>::quiet_NaN();
    for (const auto& input : {picture, noise({264, 70}, io::PixelType::u8)}) {
        for (const std::string matrix : {kCross, "0 1 0;1 -4 1;0 1 0", "0 0 0 0 0;1 2 3 4 5;0 0 0 0 0"}) {
            Request request = requestFor(
                input, {{"filter", std::string("custom")}, {"matrix", matrix}, {"border", std::string("reflect")}},
                GetParam());
            request.variants = {"register_blocked", "streamed"};
            for (const RunRecord& run : Runner().run(request).runs) {
                EXPECT_EQ(run.status, Status::ok) << describe(run);
                if (!compiles()) continue;
                ASSERT_TRUE(run.launch->special) << run.variant << ", " << matrix;
                EXPECT_TRUE(run.launch->special->used) << run.launch->special->reason;
                EXPECT_TRUE(run.launch->special->weights) << run.variant << ", " << matrix;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Convolution, SpecialOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
