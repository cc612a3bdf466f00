// SPDX-License-Identifier: Apache-2.0
// Pictures larger than the memory that may be used: in pieces, the bits of the whole; else a sentence.
#include "gpu/core/error.hpp"
#include "gpu/core/partitionable.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/live.hpp"
#include "gpu/run/piece_session.hpp"
#include "gpu/run/rows.hpp"
#include "tests/gpu/paced_device.hpp"
#include "tests/gpu/stopping_device.hpp"
#include "tests/support/sanitized.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Case {
    std::string family;
    ParameterValues parameters;
    io::Shape shape{};
    io::PixelType type = io::PixelType::u8;
};

/// The mean of ten, separable. Halves are common among such means of bytes, so that these tell how sums were rounded.
/// Of tensor cores' filters it is one that is filled up with zeros, to radius 7.
constexpr const char* kMeanOfTen =
    "0.1 0.1 0.1 0.1 0.1; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; "
    "0 0 0 0 0; 0.1 0.1 0.1 0.1 0.1";

Parameter::Value secondOf(const io::Shape& shape) {
    return std::make_shared<const NamedGrid>(NamedGrid{"second", noise(shape, io::PixelType::u8, 5)});
}

/// Every family that can be cut, what of it can be, and every border.
std::vector<Case> cases() {
    std::vector<Case> all;
    const io::Shape grey{37, 41}, colour{19, 44, 1, 3}, alpha{21, 30, 1, 4}, volume{13, 11, 12};
    const auto text = [](const char* value) { return std::string(value); };
    const auto whole = [](std::int64_t value) { return Parameter::Value(value); };
    for (const char* border : {"zero", "replicate", "reflect", "wrap"}) {
        all.push_back({"convolution", {{"border", text(border)}, {"radius", whole(2)}}, grey, io::PixelType::f32});
        all.push_back({"convolution", {{"border", text(border)}, {"filter", text("sobel_y")}}, alpha});
        // Rows that are loaded four values at a time, of even widths and padded ones: what lies near the edge of a
        // piece does not in the whole.
        for (const std::int64_t width : {64, 67}) {
            all.push_back({"convolution",
                           {{"border", text(border)}, {"filter", text("custom")}, {"matrix", text(kMeanOfTen)}},
                           {width, 23}});
            all.push_back({"convolution",
                           {{"border", text(border)}, {"radius", whole(2)}},
                           {width, 19, 1, 3},
                           io::PixelType::f32});
        }
        all.push_back(
            {"convolution", {{"border", text(border)}, {"dimensions", text("3")}, {"radius", whole(1)}}, volume});
        all.push_back({"rank", {{"border", text(border)}, {"radius", whole(2)}}, colour, io::PixelType::u16});
        all.push_back({"rank", {{"border", text(border)}, {"task", text("open")}}, grey, io::PixelType::f32});
        for (const char* task : {"top-hat", "gradient"})
            all.push_back({"rank", {{"border", text(border)}, {"task", text(task)}}, grey, io::PixelType::u8});
    }
    all.push_back({"rank", {{"dimensions", text("3")}, {"border", text("wrap")}}, volume});
    for (const char* task : {"copy", "transpose", "rotate90", "rotate180", "rotate270", "flip-x", "flip-y", "planar",
                             "interleaved", "offset", "stride"})
        all.push_back({"layout", {{"task", text(task)}}, colour, io::PixelType::u16});
    for (const char* order : {"yzx", "xyz", "zxy"})
        all.push_back({"layout", {{"task", text("reslice")}, {"order", text(order)}}, {9, 12, 14}});
    for (const io::PixelType type : {io::PixelType::u8, io::PixelType::u16}) {
        all.push_back({"scan", {{"task", text("box")}, {"radius", whole(3)}}, grey, type});
        all.push_back({"scan", {{"task", text("threshold")}, {"radius", whole(2)}}, alpha, type});
        all.push_back({"reduction", {}, colour, type});
        all.push_back({"reduction", {}, {1501, 1}, type});
    }
    all.push_back({"scan", {{"along", text("rows")}}, colour, io::PixelType::f32});
    all.push_back({"scan", {{"along", text("columns")}}, {15, 9, 12}, io::PixelType::u16});
    all.push_back({"scan", {{"task", text("integral")}}, {15, 9, 12}, io::PixelType::f32});
    all.push_back({"scan", {{"task", text("clahe")}, {"tiles", whole(2)}}, {15, 9, 12}});
    all.push_back({"scan", {{"task", text("compact")}, {"level", 99.5}}, colour});
    all.push_back({"reduction", {{"along", text("x")}, {"keep", text("mean")}}, colour, io::PixelType::f32});
    all.push_back({"reduction", {{"along", text("y")}, {"keep", text("maximum")}}, volume, io::PixelType::u16});
    all.push_back({"histogram", {{"bins", whole(17)}}, colour, io::PixelType::f32});
    for (const char* task : {"gamma", "curves", "white-balance", "saturation", "grey", "channel"})
        all.push_back({"elementwise", {{"task", text(task)}}, colour});
    all.push_back({"elementwise", {{"task", text("blend")}, {"with", secondOf(alpha)}}, alpha});
    all.push_back({"elementwise", {{"task", text("replace-channel")}, {"with", secondOf(alpha)}}, alpha});
    all.push_back({"elementwise", {{"task", text("add")}, {"with", secondOf(volume)}}, volume});
    all.push_back({"histogram", {}, {1501, 1}, io::PixelType::u16});
    all.push_back({"stencil", {{"iterations", whole(5)}, {"stencil", text("heat")}}, grey, io::PixelType::f32});
    all.push_back({"stencil",
                   {{"iterations", whole(6)},
                    {"stencil", text("jacobi")},
                    {"regions", text("9 at y=0; -3 at x=2..4 y=3..30; 7 at y=-2")},
                    {"residual-every", whole(2)}},
                   colour});
    all.push_back({"stencil", {{"iterations", whole(4)}, {"stencil", text("blur")}}, alpha, io::PixelType::u16});
    return all;
}

Request requestOf(const Case& one) {
    Request request = requestFor(noise(one.shape, one.type), one.parameters, "cpu");
    request.family = one.family;
    request.verify = false;
    return request;
}

std::string nameOf(const Case& one) {
    std::string name = one.family + " " + io::nameOf(one.type);
    for (const auto& [id, value] : one.parameters) name += " " + id + "=" + format(value);
    return name;
}

void expectSame(const Result& whole, const Result& cut, const std::string& what) {
    ASSERT_EQ(whole.picture == nullptr, cut.picture == nullptr) << what;
    if (whole.picture != nullptr) {
        ASSERT_EQ(whole.picture->shape(), cut.picture->shape()) << what;
        ASSERT_EQ(whole.picture->geometry, cut.picture->geometry) << what;
        ASSERT_EQ(std::memcmp(whole.picture->data(), cut.picture->data(), whole.picture->bytes()), 0) << what;
    }
    ASSERT_EQ(whole.tables.size(), cut.tables.size()) << what;
    for (std::size_t i = 0; i < whole.tables.size(); ++i)
        ASSERT_EQ(toCsv(*whole.tables[i]), toCsv(*cut.tables[i])) << what;
}

/// A look at rows 60 to 79 and all columns of a picture, at half the size where `level` is 1.
std::shared_ptr<render::Display> lookAt(const io::Shape& shape, int level) {
    auto display = std::make_shared<render::Display>();
    display->width = shape.width;
    display->height = shape.height;
    display->level = level;
    const auto lines = [](render::DisplayLine& line, std::int32_t from, std::int32_t to) {
        for (std::int32_t i = from; i < to; ++i) {
            line.first.push_back(i);
            line.second.push_back(i);
            line.weight.push_back(0);
        }
    };
    lines(display->across, 0, static_cast<std::int32_t>(shape.width) >> level);
    lines(display->down, 60 >> level, 80 >> level);
    display->colours.table.fill(0xff000000);
    for (std::size_t i = 0; i < display->colours.table.size(); ++i)
        display->colours.table[i] = 0xff000000U | static_cast<std::uint32_t>(i * 0x010101U);
    display->colours.scale = 1024;
    display->colours.greatest = 1;
    return display;
}

/// A look at a part on the CPU computes that part, and shows what a look at the whole would.
TEST(Pieces, WhatIsSeenOnTheCpuIsComputedAlone) {
    const auto input = noise({40, 210}, io::PixelType::f32);
    const auto device = openDevice("cpu");
    for (const char* border : {"zero", "wrap"}) {
        for (const int level : {0, 1}) {
            Request request = requestFor(input, {{"radius", std::int64_t{2}}, {"border", std::string(border)}}, "cpu");
            request.variants = {"naive"};
            const auto display = lookAt(input->shape(), level);
            const Preview part = Runner().preview(request, display);
            ASSERT_TRUE(part.seen && part.computed);
            EXPECT_FALSE(part.record.time) << "the part's is not the picture's";
            EXPECT_LT(part.record.launch->grid[1], 8U) << "of 27 rows of blocks";
            const Family& family = familyOf("convolution");
            const Variant& variant = variantOf(family, "naive");
            const auto problem = family.pose(input, request.parameters);
            Resident resident;
            const auto session = problem->open(*device, resident);
            session->prepare(variant, resolve(variant, {}));
            session->pass(*device);
            render::DisplayPainter painter(*device);
            const render::Seen whole = painter.paint(*session->picture(), display);
            ASSERT_EQ(whole.width, part.seen->width);
            ASSERT_EQ(whole.height, part.seen->height);
            EXPECT_EQ(std::memcmp(whole.pixels.get(), part.seen->pixels.get(),
                                  sizeof(std::uint32_t) * static_cast<std::size_t>(whole.width * whole.height)),
                      0)
                << border << level;
        }
    }
}

/// Rows that need memory beside the picture, of which there is just enough, run in pieces; the others as a whole.
TEST(Pieces, ARowThatNeedsMoreRunsInPiecesAlone) {
    Request request = requestOf({"scan", {{"task", std::string("box")}}, {37, 160}});
    Runner runner;
    const Comparison whole = runner.run(request);
    const auto problem = familyOf("scan").pose(request.input, request.parameters);
    const auto device = openDevice("cpu");
    device->setMemoryLimit(1);
    Resident resident;
    try {
        problem->open(*device, resident);
        FAIL() << "fits a byte";
    } catch (const MemoryRefusal& refusal) {
        request.memoryCap = refusal.needs();
    }
    const Comparison cut = runner.run(request);
    int inPieces = 0, asWhole = 0;
    for (std::size_t i = 0; i < cut.runs.size(); ++i) {
        if (whole.runs[i].status != Status::ok || whole.runs[i].kind == Variant::Kind::library) continue;
        ASSERT_EQ(cut.runs[i].status, Status::ok) << describe(cut.runs[i]);
        expectSame(whole.runs[i].result, cut.runs[i].result, cut.runs[i].variant);
        const bool told = cut.runs[i].reason.find("slabs of") != std::string::npos;
        EXPECT_EQ(told, cut.plan.find(cut.runs[i].id() + ": ") != std::string::npos) << cut.plan;
        ++(told ? inPieces : asWhole);
    }
    EXPECT_GT(inPieces, 0);
    EXPECT_GT(asWhole, 0);
}

std::string refusalOf(const Case& one, std::int64_t bytes) {
    Request request = requestOf(one);
    request.memoryCap = bytes;
    try {
        const Comparison done = Runner().run(request);
        return done.plan.empty() ? "whole" : done.plan;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::outOfMemory);
        return error.what();
    }
}

/// What the least piece needs, as the refusal says.
std::int64_t leastFor(const Case& one) {
    const std::string refusal = refusalOf(one, 1);
    const auto at = refusal.find("needs ");
    return at == std::string::npos ? 0 : std::stoll(refusal.substr(at + 6));
}

TEST(Pieces, HaveTheBitsOfTheWholeInEveryFamilyThatCanBeCut) {
    Runner runner;
    const auto all = cases();
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (warplens::testing::skippedUnderSanitizer(static_cast<int>(k))) continue;
        const Case& one = all[k];
        Request request = requestOf(one);
        request.memoryCap = 0;
        const Comparison whole = runner.run(request);
        EXPECT_EQ(whole.plan, "");
        // Lines one by one, or some at a time: each of them for two borders of four.
        const bool single = (k + k / 4) % 2 == 0;
        request.memoryCap = leastFor(one) + (single ? 0 : static_cast<std::int64_t>(request.input->bytes()) / 2);
        const Comparison cut = runner.run(request);
        EXPECT_THAT(cut.plan, HasSubstr("slabs of ")) << nameOf(one);
        int ran = 0;
        for (std::size_t i = 0; i < cut.runs.size(); ++i) {
            if (whole.runs[i].status != Status::ok || whole.runs[i].kind == Variant::Kind::library) continue;
            // A row may need memory of its own.
            if (cut.runs[i].reason.find("memory limit") != std::string::npos) continue;
            ASSERT_EQ(cut.runs[i].status, Status::ok) << nameOf(one) << ' ' << describe(cut.runs[i]);
            expectSame(whole.runs[i].result, cut.runs[i].result,
                       nameOf(one) + ' ' + cut.runs[i].variant + ": " + cut.plan);
            ++ran;
        }
        EXPECT_GT(ran, 0) << nameOf(one);
    }
}

/// Whatever can be cut, by one row of each family in turn: a piece on each of three devices, or, where those may use
/// little, many pieces that each device takes when it is free.
TEST(Pieces, OnSeveralDevicesHaveTheBitsOfOne) {
    Runner one, several;
    const auto all = cases();
    std::size_t asked = 0, compared = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (warplens::testing::skippedUnderSanitizer(static_cast<int>(k))) continue;
        ++asked;
        Request request = requestOf(all[k]);
        const Comparison whole = one.run(request);
        std::vector<const RunRecord*> kernels;
        for (const RunRecord& run : whole.runs)
            if (run.status == Status::ok && run.kind == Variant::Kind::kernel) kernels.push_back(&run);
        ASSERT_FALSE(kernels.empty()) << nameOf(all[k]);
        const RunRecord& alone = *kernels[k % kernels.size()];
        request.variants = {alone.variant};
        request.beside = {"cpu", "cpu"};
        if (k % 2 == 1) request.memoryCap = leastFor(all[k]) + static_cast<std::int64_t>(request.input->bytes()) / 4;
        Comparison shared;
        try {
            shared = several.run(request);
        } catch (const Error& error) {
            ASSERT_EQ(error.kind(), Error::Kind::outOfMemory) << nameOf(all[k]) << ": " << error.what();
            continue;  // this row needs more for a line than others
        }
        const std::string name = nameOf(all[k]) + ' ' + alone.variant + ": " + shared.plan;
        const RunRecord& run = shared.runs.front();
        ASSERT_EQ(run.status, Status::ok) << name << ' ' << describe(run);
        EXPECT_THAT(shared.plan, HasSubstr("; 3 devices at once, ")) << name;
        EXPECT_THAT(shared.plan, Not(HasSubstr(", 0 bytes on the device"))) << name;
        EXPECT_EQ(run.runsOn, "cpu, cpu, cpu");
        ASSERT_TRUE(run.slabs) << name;
        EXPECT_EQ(run.slabs->devices.size(), 3U) << name;
        std::int64_t lines = 0;
        for (const SlabMap::Stretch& held : run.slabs->held) {
            EXPECT_EQ(held.first, lines) << name;
            lines += held.lines;
        }
        EXPECT_EQ(lines, run.slabs->lines) << name;
        expectSame(alone.result, run.result, name);
        ++compared;
    }
    EXPECT_GT(compared, asked * 3 / 4);
}

/// Devices of two names get four pieces each, and a fast one takes more of them; the bits are those of the whole.
TEST(Pieces, AreTakenByUnequalDevicesAsTheyAreFree) {
    std::stop_source never;
    const auto fast = openDevice("cpu");
    PacedDevice slow(never, 8);
    const auto input = noise({48, 203}, io::PixelType::u8);
    const Family& family = familyOf("histogram");
    const auto problem = family.pose(input, withDefaults(family, {}));
    const Variant& variant = variantOf(family, "naive");
    const auto made = [&](Session& session) {
        double layoutMs = 0, downloadMs = 0;
        session.prepare(variant, resolve(variant, {}));
        session.poisonOutput();
        session.pass(*fast);
        return session.download(layoutMs, downloadMs);
    };
    Resident whole, none;
    const Result expected = made(*problem->open(*fast, whole));
    const auto session = openInPieces(*problem, {fast.get(), &slow}, none);
    expectSame(expected, made(*session), session->plan());
    EXPECT_THAT(session->plan(), ::testing::StartsWith("8 slabs of 26 rows, halo 0, "));
    EXPECT_THAT(session->plan(), HasSubstr("; 2 devices at once, each takes the next slab when it is free: "));
}

TEST(Pieces, OnSeveralDevicesRefuseALibraryThatRunsThere) {
    Request request = requestOf({"histogram", {}, {37, 41}});
    request.beside = {"cpu"};
    request.variants = {"opencv"};
    const RunRecord run = Runner().run(request).runs.front();
    EXPECT_EQ(run.status, Status::unsupported);
    EXPECT_EQ(run.reason, "runs on the host: name one device");
}

TEST(Pieces, ComparisonsAreCutWithBothPictures) {
    Request request = requestFor(noise({23, 31, 1, 3}, io::PixelType::u16), {}, "cpu");
    request.family = "reduction";
    request.parameters = {
        {"measure", std::string("comparison")},
        {"with", std::make_shared<const NamedGrid>(NamedGrid{"other", noise({23, 31, 1, 3}, io::PixelType::u16, 7)})}};
    // Trees in global memory keep a cell per thread of a block there, more than is left below.
    for (const Variant& variant : familyOf("reduction").variants())
        if (variant.kind == Variant::Kind::kernel && !variant.id.starts_with("global_"))
            request.variants.push_back(variant.id);
    Runner runner;
    const Comparison whole = runner.run(request);
    request.memoryCap = 4000;
    const Comparison cut = runner.run(request);
    EXPECT_THAT(cut.plan, HasSubstr("rows"));
    for (std::size_t i = 0; i < cut.runs.size(); ++i) {
        if (whole.runs[i].status != Status::ok) continue;
        ASSERT_EQ(cut.runs[i].status, Status::ok) << describe(cut.runs[i]);
        if (cut.runs[i].kind == Variant::Kind::kernel) {
            ASSERT_TRUE(cut.runs[i].slabs);
            EXPECT_EQ(cut.runs[i].slabs->axis, 1);
            EXPECT_EQ(cut.runs[i].slabs->held, std::vector<SlabMap::Stretch>({{0, 0, 31}}));
        }
        expectSame(whole.runs[i].result, cut.runs[i].result, cut.runs[i].variant);
        EXPECT_EQ(cut.runs[i].verification->mismatches, 0);
    }
}

/// The device has less than it says: an allocation fails in the middle of opening, or of a pass.
TEST(Pieces, AreMadeWhenTheDeviceIsFull) {
    Request request = requestFor(noise({40, 50}, io::PixelType::f32), {{"radius", std::int64_t{2}}}, "cpu");
    const Family& family = familyOf("convolution");
    const auto problem = family.pose(request.input, request.parameters);
    const Variant& variant = variantOf(family, "naive");
    std::stop_source never;
    StoppingDevice whole(never, 0), full(never, 0, 6000);
    const auto resultOf = [&](Device& device) {
        Resident resident;
        const auto session = openFitting(*problem, device, resident);
        session->prepare(variant, resolve(variant, {}));
        session->poisonOutput();
        session->pass(device);
        double layoutMs = 0, downloadMs = 0;
        EXPECT_EQ(session->plan().empty(), &device == &whole);
        return session->download(layoutMs, downloadMs);
    };
    expectSame(resultOf(whole), resultOf(full), "full");
}

TEST(Pieces, WhatCannotBeCutSaysWhyAndWhatWouldFit) {
    const auto text = [](const char* value) { return std::string(value); };
    const io::Shape grey{40, 30};
    const Case sums{"scan", {}, grey}, integral{"scan", {{"task", text("integral")}}, grey},
        floats{"reduction", {}, grey, io::PixelType::f32},
        windows{"scan", {{"task", text("box")}}, grey, io::PixelType::f32};
    EXPECT_THAT(refusalOf(sums, 900), HasSubstr("; sums along all values need all of it at once"));
    EXPECT_THAT(refusalOf(integral, 900), HasSubstr("; an integral picture needs all of it at once"));
    EXPECT_THAT(refusalOf(floats, 900), HasSubstr("; sums of floats would be rounded otherwise in pieces"));
    EXPECT_THAT(refusalOf(windows, 900), HasSubstr("; windows of floats would be rounded otherwise"));
    for (const Case& one : {sums, integral, floats, windows})
        EXPECT_THAT(refusalOf(one, 900), HasSubstr(" % of its pixels")) << one.family;
    EXPECT_THAT(refusalOf({"components", {}, grey}, 900), HasSubstr("raise the memory limit to "));
}

TEST(Pieces, ALimitUnderOneRowNamesWhatARowNeedsAndThatSuffices) {
    const Case one{"convolution", {{"radius", std::int64_t{3}}}, {40, 30}, io::PixelType::f32},
        row{"rank", {}, {400, 1}}, stencil{"stencil", {{"iterations", std::int64_t{2}}}, {40, 30}};
    for (const Case& small : {one, row, stencil}) {
        const std::string refusal = refusalOf(small, 100);
        EXPECT_THAT(refusal, HasSubstr("one row with a halo of "));
        const std::int64_t needs = leastFor(small);
        EXPECT_EQ(refusalOf(small, needs).find("may be used"), std::string::npos) << refusalOf(small, needs);
        EXPECT_THAT(refusalOf(small, needs - 1), HasSubstr("may be used")) << small.family;
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
