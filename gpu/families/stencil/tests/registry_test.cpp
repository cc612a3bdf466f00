// SPDX-License-Identifier: Apache-2.0
// Registry x device x operator x extent x steps: every kernel against the double reference, and all of them against
// each other.
#include "gpu/families/stencil/tests/stencil_case.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using warplens::testing::skippedUnderSanitizer;

struct Case {
    std::string name;
    ParameterValues parameters;
    int rows;  ///< of the ladder that can run it
};

std::string asymmetric27() {
    std::string text;
    for (int i = 0; i < 27; ++i) text += std::to_string((i * 7 % 27 - 11) / 170.0) + " ";
    return text;
}

// Weights without any symmetry, so that no two neighbours can be mistaken for each other.
const std::vector<Case>& asymmetric() {
    static const std::vector<Case> list{
        {"line", {{"coefficients", std::string("0.3, 0.5, -0.35")}}, 4},
        {"cross", {{"coefficients", std::string("0.1, 0.4, -0.25, 0.3, 0.15")}}, 7},
        {"star", {{"coefficients", std::string("0.1, 0.3, -0.2, 0.25, 0.15, -0.1, 0.35")}}, 7},
        {"box", {{"stencil", std::string("weights27")}, {"weights27", asymmetric27()}}, 5},
    };
    return list;
}

const std::vector<Case>& named() {
    static const std::vector<Case> list{
        {"heat", {{"stencil", std::string("heat")}, {"dimensions", std::string("3")}}, 7},
        {"heat 2D", {{"stencil", std::string("heat")}, {"dimensions", std::string("2")}}, 7},
        {"heat 1D", {{"stencil", std::string("heat")}, {"dimensions", std::string("1")}, {"step", 0.4}}, 4},
        {"jacobi", {{"stencil", std::string("jacobi")}, {"dimensions", std::string("3")}}, 7},
        {"smoothing", {{"stencil", std::string("smoothing")}, {"dimensions", std::string("3")}}, 7},
        {"sharpening", {{"stencil", std::string("sharpening")}, {"dimensions", std::string("3")}}, 7},
        {"blur", {{"stencil", std::string("blur")}}, 4},
        {"weights27", {{"stencil", std::string("weights27")}}, 5},
    };
    return list;
}

const std::vector<io::Shape>& extents() {
    static const std::vector<io::Shape> list{{1, 1, 1},   {2, 2, 2},   {3, 3, 3},   {5, 7, 11}, {33, 17, 9},
                                             {31, 9, 5},  {32, 8, 4},  {30, 6, 2},  {4, 1, 9},  {1, 5, 3},
                                             {64, 33, 3}, {65, 31, 4}, {129, 4, 3}, {9, 70, 1}};
    return list;
}

std::string text(const io::Shape& s) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth);
}

TEST_P(StencilOnDevice, EveryPatternExtentAndNumberOfSteps) {
    for (int place = 0; const auto& shape : extents()) {
        ++place;
        const auto input = noise(shape, io::PixelType::f32, static_cast<std::uint64_t>(shape.width * 7 + shape.depth));
        for (int row = 0; const auto& [name, parameters, rows] : asymmetric()) {
            ++row;
            for (int turn = 0; const int steps : {0, 1, 2, 3, 5, 7}) {
                if (skippedUnderSanitizer(place + row + turn++)) continue;
                const auto what = name + " " + text(shape) + " " + std::to_string(steps) + " steps";
                ASSERT_EQ(expectAllOk(input, with(parameters, "iterations", std::int64_t{steps}), what), rows) << what;
            }
        }
    }
}

TEST_P(StencilOnDevice, EveryNamedStencil) {
    for (const auto& shape : {io::Shape{19, 13, 6}, io::Shape{36, 40, 3}, io::Shape{7, 5, 1}}) {
        for (const auto& [name, parameters, rows] : named()) {
            const auto what = name + " " + text(shape);
            ASSERT_EQ(
                expectAllOk(noise(shape, io::PixelType::f32), with(parameters, "iterations", std::int64_t{9}), what),
                rows)
                << what;
        }
    }
}

// Rows that no four cells divide are padded, but where steps are compared or others bring the input.
TEST_P(StencilOnDevice, PaddedRowsAreToldAndGiveTheSameBits) {
    const auto input = noise({71, 23, 6, 2}, io::PixelType::u8);
    const auto device = openDevice(GetParam());
    for (const std::string dimensions : {"1", "2", "3"}) {
        const ParameterValues plain{{"dimensions", dimensions},
                                    {"step", 0.1},
                                    {"iterations", std::int64_t{6}},
                                    {"output-type", std::string("f32")},
                                    {"regions", std::string("200 at x=60..70 y=3..9 z=1..4")}};
        const auto problem = familyOf("stencil").pose(input, plain);
        const auto compared = familyOf("stencil").pose(input, with(plain, "residual-every", std::int64_t{3}));
        for (const Variant& variant : familyOf("stencil").variants()) {
            if (variant.kind != Variant::Kind::kernel) continue;
            const auto tunables = problem->resolved(variant, {}, device->info());
            if (!problem->refusal(variant, tunables, device->info()).empty()) continue;
            std::vector<std::shared_ptr<const io::Grid>> results;
            for (const bool asItLies : {false, true}) {
                Resident resident;
                resident.asItLies = asItLies;
                const auto session = problem->open(*device, resident);
                EXPECT_EQ(session->pitch(), asItLies ? 0 : 96);
                session->prepare(variant, tunables);
                session->poisonOutput();
                session->launch();
                double layoutMs = 0, downloadMs = 0;
                // What is looked at on the device has the rows of the picture.
                ASSERT_EQ(session->picture()->planes->bytes(), 71U * 23 * 6 * 2 * sizeof(float));
                results.push_back(session->download(layoutMs, downloadMs).picture);
            }
            EXPECT_EQ(std::memcmp(results[0]->data(), results[1]->data(), results[0]->bytes()), 0)
                << variant.id << ", " << dimensions << "D";
        }
        Resident resident;
        EXPECT_EQ(compared->open(*device, resident)->pitch(), 0);
    }
}

TEST_P(StencilOnDevice, EveryTypeAndNumberOfChannels) {
    for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
        for (const int channels : {1, 3, 4}) {
            for (const std::string dimensions : {"2", "3"}) {
                for (const std::string output : {"f32", "same"}) {
                    for (const std::string alpha : {"keep", "filter"}) {
                        const std::int64_t width = output == "same" ? 21 : 37;  // the second is padded
                        expectAllOk(noise({width, 12, 5, channels}, type),
                                    {{"dimensions", dimensions},
                                     {"iterations", std::int64_t{4}},
                                     {"output-type", output},
                                     {"alpha", alpha}},
                                    std::string(io::nameOf(type)) + " c" + std::to_string(channels) + " " + dimensions +
                                        "D " + output + " " + alpha);
                    }
                }
            }
        }
    }
}

TEST_P(StencilOnDevice, EveryTunableOfEveryVariant) {
    const auto input = noise({70, 37, 11}, io::PixelType::f32);
    for (int place = 0; const auto& [name, parameters, rows] : asymmetric()) {
        ++place;
        const auto reference = [&, parameters = parameters] {
            auto request = stencilRequest(input, with(parameters, "iterations", std::int64_t{11}), GetParam());
            request.variants = {"naive"};
            return m_runner.run(request).runs.front().result.picture;
        }();
        for (int row = 0; const Variant& variant : familyOf("stencil").variants()) {
            ++row;
            std::vector<TunableValues> choices;
            const auto has = [&](const std::string& id) {
                return std::any_of(variant.tunables.begin(), variant.tunables.end(),
                                   [&](const Tunable& t) { return t.id == id; });
            };
            if (variant.id == "fused") {
                for (const int steps : {1, 2, 3, 4, 5, 6, 8, 10}) {
                    for (const int height : {2, 4, 8, 16}) {
                        for (const int outputs : {4, 8}) {
                            choices.push_back({{"steps_per_launch", steps},
                                               {"block_height", height},
                                               {"outputs_per_thread", outputs},
                                               {"planes_per_block", steps == 3 ? 5 : 64},
                                               {"rows_per_thread", steps == 3 ? 7 : 64}});
                        }
                    }
                }
            } else if (variant.kind == Variant::Kind::kernel) {
                for (const auto& [w, h, d] : std::vector<std::array<int, 3>>{
                         {8, 8, 8}, {16, 4, 2}, {3, 3, 3}, {64, 4, 1}, {33, 7, 4}, {1, 1, 1}}) {
                    TunableValues chosen{{"block_width", w}, {"block_height", h}};
                    if (has("block_depth")) chosen["block_depth"] = d;
                    if (has("planes_per_block")) chosen["planes_per_block"] = 2 * d - 1;
                    if (has("rows_per_thread")) chosen["rows_per_thread"] = d;
                    choices.push_back(chosen);
                }
            }
            for (int turn = 0; const auto& chosen : choices) {
                if (skippedUnderSanitizer(place + row + turn++)) continue;
                auto request = stencilRequest(input, with(parameters, "iterations", std::int64_t{11}), GetParam());
                request.variants = {variant.id};
                request.tunables = chosen;
                request.verify = false;  // the first result is, and these must equal it
                const auto run = m_runner.run(request).runs.front();
                if (run.status == Status::unsupported) {
                    EXPECT_FALSE(run.reason.empty());
                    continue;
                }
                ASSERT_EQ(run.status, Status::ok) << name << ": " << describe(run);
                std::string values;
                for (const auto& [id, value] : run.tunables) values += " " + id + "=" + std::to_string(value);
                EXPECT_TRUE(sameBytes(*reference, *run.result.picture)) << name << ": " << variant.id << values;
            }
        }
    }
}

TEST_P(StencilOnDevice, HeldRegionsStayAndTheRestIsRight) {
    const std::string regions = "5 at x=4..9 y=2 z=1..3; -2 at x=-1; 0.5 at x=20..25 y=-3..-1 z=0..-1";
    const auto input = noise({40, 21, 7}, io::PixelType::u8);
    for (const auto& [name, parameters, rows] : asymmetric()) {
        EXPECT_EQ(expectAllOk(input, with(with(parameters, "regions", regions), "iterations", std::int64_t{6}), name),
                  rows)
            << name;
    }
    auto request = stencilRequest(input, {{"stencil", std::string("jacobi")}, {"regions", regions}}, GetParam());
    request.variants = {"fused"};
    const auto run = m_runner.run(request).runs.front();
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    EXPECT_EQ(run.result.picture->value(6, 2, 2, 0), 5);
    EXPECT_EQ(run.result.picture->value(39, 11, 4, 0), -2);
    EXPECT_NE(run.result.picture->value(6, 2, 4, 0), 5);
}

TEST_P(StencilOnDevice, NotANumberAndInfinityAgreeInClassAndPlace) {
    auto grid = noise({45, 19, 9}, io::PixelType::f32);
    grid->setValue(7, 9, 4, 0, std::numeric_limits<double>::quiet_NaN());
    grid->setValue(30, 10, 2, 0, std::numeric_limits<double>::infinity());
    grid->setValue(0, 18, 8, 0, -std::numeric_limits<double>::infinity());
    grid->setValue(40, 0, 0, 0, 1e-40);
    for (const auto& [name, parameters, rows] : asymmetric()) {
        auto request = stencilRequest(grid, with(parameters, "iterations", std::int64_t{3}), GetParam());
        for (const auto& run : m_runner.run(request).runs) {
            if (run.kind != Variant::Kind::kernel || run.status == Status::unsupported) continue;
            EXPECT_EQ(run.status, Status::ok) << name << ": " << describe(run);
            EXPECT_GT(run.verification->checkedShare, 0.9) << name;
        }
    }
}

TEST_P(StencilOnDevice, WhereSinglePrecisionOverflowsNothingIsCompared) {
    auto request =
        stencilRequest(noise({12, 12, 12}, io::PixelType::f32),
                       {{"coefficients", std::string("9 9 9 9 9 9 9")}, {"iterations", std::int64_t{60}}}, GetParam());
    for (const auto& run : m_runner.run(request).runs) {
        if (run.status == Status::unsupported) continue;
        EXPECT_EQ(run.status, Status::ok) << describe(run);
        EXPECT_LT(run.verification->checkedShare, 1);
    }
}

/// On a GPU the first launch goes step by step, the second is recorded as a graph, the third replays it.
TEST_P(StencilOnDevice, ALaunchAsAGraphGivesTheSameBits) {
    const auto device = openDevice(GetParam());
    for (const auto& shape : {io::Shape{64, 48}, io::Shape{20, 17, 9}}) {
        const auto input = noise(shape, io::PixelType::f32);
        const auto& family = familyOf("stencil");
        for (const std::int64_t iterations : {1, 7, 20}) {
            const auto problem = family.pose(input, {{"iterations", iterations}});
            Resident resident;
            const auto session = problem->open(*device, resident);
            for (const Variant& variant : family.variants()) {
                const auto tunables = resolve(variant, {});
                if (variant.kind != Variant::Kind::kernel ||
                    !problem->refusal(variant, tunables, device->info()).empty())
                    continue;
                session->prepare(variant, tunables);
                std::vector<std::shared_ptr<const io::Grid>> results;
                for (int run = 0; run < 3; ++run) {
                    double layoutMs = 0, downloadMs = 0;
                    session->poisonOutput();
                    session->launch();
                    results.push_back(session->download(layoutMs, downloadMs).picture);
                    ASSERT_EQ(std::memcmp(results.back()->data(), results.front()->data(), results.front()->bytes()), 0)
                        << variant.id << ' ' << text(shape) << ' ' << iterations << " steps, run " << run;
                }
            }
        }
    }
}

/// Also where a GPU times a graph, in which nobody notes launches.
TEST_P(StencilOnDevice, EveryKernelTellsOfItsLaunches) {
    const auto input = noise({67, 33, 5}, io::PixelType::f32);
    const auto comparison = m_runner.run(stencilRequest(input, {{"iterations", std::int64_t{3}}}, GetParam()));
    for (const RunRecord& run : comparison.runs) {
        if (run.kind != Variant::Kind::kernel || run.status != Status::ok) continue;
        ASSERT_TRUE(run.launch) << run.variant;
        EXPECT_GT(run.launch->kernels, 0) << run.variant;
        EXPECT_GT(run.launch->block[0], 0U) << run.variant;
    }
}

TEST_P(StencilOnDevice, AMediumVolumeAndALargePictureAreRight) {
    expectAllOk(noise({131, 67, 23}, io::PixelType::f32), {{"iterations", std::int64_t{6}}}, "volume");
    expectAllOk(noise({1031, 517}, io::PixelType::f32), {{"iterations", std::int64_t{9}}}, "picture");
    expectAllOk(noise({9000, 3}, io::PixelType::f32), {{"iterations", std::int64_t{3}}}, "wide");
    expectAllOk(noise({3, 9000}, io::PixelType::f32), {{"iterations", std::int64_t{3}}}, "high");
}

TEST_P(StencilOnDevice, ALargeVolume) {
    if (GetParam() == "cpu") GTEST_SKIP() << "512 x 509 x 510 is for the GPU: the SIMT device would take minutes";
    EXPECT_EQ(expectAllOk(noise({512, 509, 510}, io::PixelType::f32), {{"iterations", std::int64_t{11}}}, "512"), 7);
}

INSTANTIATE_TEST_SUITE_P(Stencil, StencilOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
