// SPDX-License-Identifier: Apache-2.0
// Registry x device x task x type x channels x extent: every kernel against the definition.
#include "gpu/core/error.hpp"
#include "gpu/families/scan/tests/scan_case.hpp"

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
const std::set<std::string> kScans{"naive",   "kogge_stone", "double_buffered", "brent_kung",           "shuffle",
                                   "chained", "look_back",   "three_kernels",   "look_back_vectorised", "carried"};
// All but sums along lines.
const std::set<std::string> kTasks = [] {
    auto rows = kScans;
    rows.insert("one_pass");
    return rows;
}();
const std::set<std::string> kWideScans{"naive",      "kogge_stone", "double_buffered",
                                       "brent_kung", "shuffle",     "three_kernels"};

std::set<std::string> with(std::set<std::string> rows, const std::string& one) {
    rows.insert(one);
    return rows;
}

/// With the rung that cannot work in place, which integrals ask for.
std::set<std::string> withPrefixes(std::set<std::string> rows) { return with(std::move(rows), "quadratic"); }

std::string text(const io::Shape& s, PixelType type) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth) + " c" +
           std::to_string(s.channels) + " " + io::nameOf(type);
}

template <class F>
void eachPixel(const io::Shape& shape, F f) {
    for (std::int64_t y = 0; y < shape.height; ++y)
        for (std::int64_t x = 0; x < shape.width; ++x) f(x, y);
}

class ScanRegistry : public ScanCase {
protected:
    /// A column of its own is a block of its own: on the SIMT device they are many.
    void everySum(const io::Shape& shape, PixelType type, bool columns) {
        const auto input = noise(shape, type, static_cast<std::uint64_t>(shape.width * 1000 + shape.height));
        auto cases = std::vector{runningSums("values"), runningSums("rows", "exclusive")};
        if (columns) cases.insert(cases.end(), {runningSums("columns"), runningSums("columns", "exclusive")});
        for (const auto& values : cases) EXPECT_EQ(expectAllOk(input, values, text(shape, type)), withPrefixes(kScans));
    }
    void everyTask(const io::Shape& shape, PixelType type) {
        const auto input = noise(shape, type, static_cast<std::uint64_t>(shape.width * 1000 + shape.height));
        const auto what = text(shape, type);
        EXPECT_EQ(expectAllOk(input, scanTask("integral"), what + " integral"), with(kTasks, "opencv")) << what;
        const double offset = type == PixelType::f32 ? 0.1 : 20.0;
        for (const auto& values :
             {ParameterValues{{"task", std::string("box")}, {"radius", std::int64_t{1}}},
              ParameterValues{{"task", std::string("box")}, {"radius", std::int64_t{1023}}},
              ParameterValues{{"task", std::string("threshold")}, {"radius", std::int64_t{7}}, {"offset", offset}}}) {
            auto rows = type == PixelType::u8 ? kTasks : with(kWideScans, "one_pass");
            if (std::get<std::int64_t>(values.at("radius")) <= 31) rows.insert("direct");
            EXPECT_EQ(expectAllOk(input, values, what), rows) << what;
        }
        const double middle = type == PixelType::u8 ? 127 : type == PixelType::u16 ? 32767 : 0.5;
        EXPECT_EQ(expectAllOk(input, {{"task", std::string("compact")}, {"level", middle}}, what), withPrefixes(kTasks))
            << what;
        if (type == PixelType::f32) return;
        // Tables of 65,536 bins are long for the SIMT device.
        const std::int64_t tiles = type == PixelType::u8 ? 3 : 1;
        for (const auto& values :
             {scanTask("equalise"), ParameterValues{{"task", std::string("clahe")}, {"clip", 2.5}, {"tiles", tiles}}}) {
            auto rows = expectAllOk(input, values, what + " levels");
            EXPECT_TRUE(rows.contains("global_bins")) << what;
            EXPECT_EQ(rows.contains("shared_bins"), type == PixelType::u8) << what;
            const bool opencv = type == PixelType::u8 || values.at("task") == Parameter::Value(std::string("clahe"));
            EXPECT_EQ(rows.contains("opencv"), opencv) << what;
        }
    }
};

// Lines around a warp, a tile of each rung, and several of them.
TEST_P(ScanRegistry, SumsOfLinesAroundWarpsQuadsAndTiles) {
    for (const auto type : kTypes)
        for (const int width : {1, 31, 33, 255, 257, 513, 2049, 4096, 9001}) everySum({width, 1}, type, false);
}

// n values take n (n + 1) / 2 additions: what is too long is refused, and how long it may be is said.
TEST_P(ScanRegistry, PrefixesPerThreadAreRefusedWhereLong) {
    const auto reason = [&](const io::Shape& shape, const char* along) {
        auto request = scanRequest(noise(shape, PixelType::u8), runningSums(along), GetParam());
        request.variants = {"quadratic"};
        const auto run = m_runner.run(request).runs.front();
        EXPECT_EQ(run.status, run.reason.empty() ? Status::ok : Status::unsupported) << describe(run);
        return run.reason;
    };
    EXPECT_EQ(reason({1 << 14, 1}, "values"), "");
    EXPECT_EQ(reason({(1 << 14) + 1, 1}, "values"), "one thread would add up 16385 values: take rows or columns");
    EXPECT_EQ(reason({1 << 14, 16}, "rows"),
              "would make 2147614720 additions, of at most 2147483648: take shorter lines or fewer of them");
}

// Blocks that stay take many tiles each, whole ones and the last of a line, and lines that begin anywhere.
TEST_P(ScanRegistry, CarriedOverManyTilesAndLines) {
    for (const auto type : kTypes)
        for (const auto& [shape, along] : {std::pair{io::Shape{1 << 19, 1}, "values"},
                                           {io::Shape{350001, 1}, "values"},
                                           {io::Shape{40001, 7}, "rows"},
                                           {io::Shape{16384, 5}, "rows"}}) {
            auto request = scanRequest(noise(shape, type), runningSums(along, "exclusive"), GetParam());
            request.variants = {"carried"};
            const auto run = m_runner.run(request).runs.front();
            EXPECT_EQ(run.status, Status::ok) << text(shape, type) << ": " << describe(run);
        }
}

// The same of places: of each channel they begin anew, few, half and all.
TEST_P(ScanRegistry, CarriedPlacesOverManyTilesAndChannels) {
    for (const auto type : kTypes)
        for (const auto& [shape, share] :
             {std::pair{io::Shape{350001, 1}, 0.01}, {io::Shape{1 << 17, 1}, -1.0}, {io::Shape{40001, 1, 1, 3}, 0.5}}) {
            const double most = type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1;
            auto request = scanRequest(noise(shape, type), {{"task", std::string("compact")}, {"level", most * share}},
                                       GetParam());
            request.variants = {"carried"};
            const auto run = m_runner.run(request).runs.front();
            EXPECT_EQ(run.status, Status::ok) << text(shape, type) << ": " << describe(run);
        }
}

TEST_P(ScanRegistry, SumsOfChannelsColumnsAndVolumes) {
    for (const auto type : kTypes)
        for (const auto& shape : {io::Shape{5, 37, 1, 3}, io::Shape{1, 300}, io::Shape{3, 7, 2, 4}})
            everySum(shape, type, true);
}

TEST_P(ScanRegistry, EveryTask) {
    for (const auto type : kTypes)
        for (const auto& shape :
             {io::Shape{1, 1}, io::Shape{37, 1}, io::Shape{1, 37}, io::Shape{35, 21, 1, 3}, io::Shape{64, 16, 2}})
            everyTask(shape, type);
}

// What makes a picture of a picture leaves alpha alone unless asked: colours come out as without it.
TEST_P(ScanRegistry, AlphaIsKeptUnlessAsked) {
    const io::Shape shape{19, 11, 1, 4};
    for (const auto type : kTypes)
        for (const char* task : {"box", "threshold", "equalise", "clahe"}) {
            const bool tables = std::string(task) == "equalise" || std::string(task) == "clahe";
            if (tables && type != PixelType::u8) continue;
            const auto input = noise(shape, type);
            auto colours = std::make_shared<io::Grid>(io::Shape{19, 11, 1, 3}, type);
            eachPixel(shape, [&](std::int64_t x, std::int64_t y) {
                for (int c = 0; c < 3; ++c) colours->setValue(x, y, 0, c, input->value(x, y, 0, c));
            });
            ParameterValues values{{"task", std::string(task)}, {"tiles", std::int64_t{2}}};
            expectAllOk(colours, values, task);
            const auto alone = m_last.picture;
            for (const char* alpha : {"keep", "filter"}) {
                values["alpha"] = std::string(alpha);
                EXPECT_GE(expectAllOk(input, values, std::string(task) + alpha).size(), tables ? 3U : 6U);
                int changed = 0;
                eachPixel(shape, [&](std::int64_t x, std::int64_t y) {
                    const io::Grid& made = *m_last.picture;
                    // Sums of floats may differ from run to run.
                    for (int c = 0; c < 3; ++c) EXPECT_NEAR(made.value(x, y, 0, c), alone->value(x, y, 0, c), 1e-5);
                    const double kept = made.type() == type ? input->value(x, y, 0, 3) : 255;
                    changed += made.value(x, y, 0, 3) != kept;
                });
                EXPECT_EQ(changed > 0, std::string(alpha) == "filter") << task << " " << alpha << io::nameOf(type);
            }
        }
}

// A row whose scratch does not fit is refused and says why; those that need none run.
TEST_P(ScanRegistry, ARowWithoutMemoryIsRefusedAndOthersRun) {
    const auto input = noise({1, 300}, PixelType::u8);
    auto request = scanRequest(input, scanTask("integral"), GetParam());
    request.memoryCap = 300 * (1 + 4);
    std::set<std::string> refused;
    int ran = 0;
    for (const auto& run : m_runner.run(request).runs) {
        ran += run.status == Status::ok && run.kind == Variant::Kind::kernel;
        if (run.reason.find("memory limit") != std::string::npos) {
            EXPECT_EQ(run.status, Status::unsupported) << describe(run);
            refused.insert(run.variant);
        }
    }
    EXPECT_GE(ran, 1);
    EXPECT_TRUE(refused.contains("one_pass"));
    request.variants = {"one_pass"};
    EXPECT_THROW(m_runner.run(request), Error) << "nothing is left to run";
}

TEST_P(ScanRegistry, EveryTunableOfEveryVariant) {
    const auto input = noise({5001, 1}, PixelType::u8);
    for (const Variant& variant : familyOf("scan").variants()) {
        const bool bins = variant.id.ends_with("_bins");
        for (const Tunable& tunable : variant.tunables)
            for (const int value : tunable.choices) {
                const auto task = bins                       ? scanTask("clahe")
                                  : variant.id == "one_pass" ? scanTask("integral")
                                  : variant.id == "direct"
                                      ? ParameterValues{{"task", std::string("box")}, {"radius", std::int64_t{31}}}
                                      : runningSums("values");
                auto request = scanRequest(input, task, GetParam());
                request.variants = {variant.id};
                request.tunables = {{tunable.id, value}};
                const auto run = m_runner.run(request).runs.front();
                EXPECT_EQ(run.status, Status::ok) << tunable.id << " " << value << ": " << describe(run);
            }
    }
}

// Quads that rows end within, tiles that lie at edges, and several both ways.
TEST_P(ScanRegistry, OnePassOfEveryExtent) {
    const auto both = [&](const io::Shape& shape, PixelType type, int threads) {
        const auto radius = std::int64_t{1} + shape.width % 23;
        for (const auto& values : {scanTask("integral"), scanTask("compact"),
                                   ParameterValues{{"task", std::string("box")}, {"radius", radius}},
                                   ParameterValues{{"task", std::string("box")}, {"radius", 31 * radius}},
                                   ParameterValues{{"task", std::string("threshold")}, {"radius", 5 * radius}}}) {
            auto request = scanRequest(noise(shape, type), values, GetParam());
            request.variants = {"one_pass"};
            request.tunables = {{"block_width", threads}};
            const auto run = m_runner.run(request).runs.front();
            EXPECT_EQ(run.status, Status::ok) << text(shape, type) << ": " << describe(run);
        }
    };
    for (int width = 1; width <= 70; ++width) {
        both({width, 71 - width}, kTypes[width % 3], 32);
        both({width, width, 1, 1 + width % 4}, kTypes[width / 3 % 3], 64);
    }
    for (const auto type : kTypes)
        for (const auto& shape : {io::Shape{127, 131}, io::Shape{383, 65}, io::Shape{521, 37}, io::Shape{1, 1031},
                                  io::Shape{4099, 17}, io::Shape{131, 33, 3, 2}, io::Shape{516, 259}})
            both(shape, type, 32);
}

// Means below the normal numbers are judged by their own rounding, in narrow pictures as well.
TEST_P(ScanRegistry, MeansBelowTheNormalNumbers) {
    for (const auto& shape : {io::Shape{40, 90}, io::Shape{1, 40}})
        for (const std::int64_t radius : {5, 1023}) {
            auto tiny = std::make_shared<io::Grid>(shape, PixelType::f32);
            for (std::int64_t i = 0; i < shape.values(); ++i)
                tiny->as<float>()[i] = static_cast<float>(i * 7919 % 71429) * 0x1p-149F;
            const ParameterValues box{{"task", std::string("box")}, {"radius", radius}};
            EXPECT_GE(expectAllOk(tiny, box, text(shape, PixelType::f32)).size(), 3U);
        }
}

// Blocks begin in any order, on one thread or several: who waits, waits for a block that has begun.
TEST_P(ScanRegistry, AnyOrderOfThreadsAndBlocks) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    const auto input = noise({97, 31}, PixelType::u8);
    for (const std::uint64_t seed : {1, 7})
        for (const int workers : {1, 4}) {
            const Scheduling scheduling{.workers = workers, .shuffleSeed = seed};
            for (const auto& values : {runningSums("values"), runningSums("rows"), scanTask("integral"),
                                       scanTask("clahe"), scanTask("compact")})
                expectAllOk(input, values, "shuffled", {{"block_width", 32}}, scheduling);
        }
}

TEST_P(ScanRegistry, RepeatedLaunchesBeginAnew) {
    for (const char* name : {"sums", "box", "compact", "equalise"}) {
        auto request = scanRequest(noise({83, 11, 1, 3}, PixelType::u8), scanTask(name), GetParam());
        request.tunables = {{"block_width", 32}};
        request.timing = {.warmUps = 1, .minimumSamples = 2, .maximumSamples = 2};
        for (const auto& run : m_runner.run(request).runs)
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
    }
}

INSTANTIATE_TEST_SUITE_P(Scan, ScanRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
