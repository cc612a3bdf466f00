// SPDX-License-Identifier: Apache-2.0
// Registry x device x task x type x channels x extent: every kernel against the definition.
#include "gpu/families/scan/tests/scan_case.hpp"

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
const std::set<std::string> kScans{"naive",   "kogge_stone", "double_buffered", "brent_kung",          "shuffle",
                                   "chained", "look_back",   "three_kernels",   "look_back_vectorised"};
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

std::string text(const io::Shape& s, PixelType type) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth) + " c" +
           std::to_string(s.channels) + " " + io::nameOf(type);
}

class ScanRegistry : public ScanCase {
protected:
    /// A column of its own is a block of its own: on the SIMT device they are many.
    void everySum(const io::Shape& shape, PixelType type, bool columns) {
        const auto input = noise(shape, type, static_cast<std::uint64_t>(shape.width * 1000 + shape.height));
        auto cases = std::vector{runningSums("values"), runningSums("rows", "exclusive")};
        if (columns) cases.insert(cases.end(), {runningSums("columns"), runningSums("columns", "exclusive")});
        for (const auto& values : cases) EXPECT_EQ(expectAllOk(input, values, text(shape, type)), kScans);
    }
    void everyTask(const io::Shape& shape, PixelType type) {
        const auto input = noise(shape, type, static_cast<std::uint64_t>(shape.width * 1000 + shape.height));
        const auto what = text(shape, type);
        EXPECT_EQ(expectAllOk(input, scanTask("integral"), what + " integral"), with(kTasks, "opencv")) << what;
        const double offset = type == PixelType::f32 ? 0.1 : 20.0;
        for (const auto& values :
             {ParameterValues{{"task", std::string("box")}, {"radius", std::int64_t{1}}},
              ParameterValues{{"task", std::string("box")}, {"radius", std::int64_t{1023}}},
              ParameterValues{{"task", std::string("threshold")}, {"radius", std::int64_t{7}}, {"offset", offset}}})
            EXPECT_EQ(expectAllOk(input, values, what), type == PixelType::u8 ? kTasks : with(kWideScans, "one_pass"))
                << what;
        const double middle = type == PixelType::u8 ? 127 : type == PixelType::u16 ? 32767 : 0.5;
        EXPECT_EQ(expectAllOk(input, {{"task", std::string("compact")}, {"level", middle}}, what), kTasks) << what;
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

TEST_P(ScanRegistry, EveryTunableOfEveryVariant) {
    const auto input = noise({5001, 1}, PixelType::u8);
    for (const Variant& variant : familyOf("scan").variants()) {
        const bool bins = variant.id.ends_with("_bins");
        for (const Tunable& tunable : variant.tunables)
            for (const int value : tunable.choices) {
                const auto task = bins                       ? scanTask("clahe")
                                  : variant.id == "one_pass" ? scanTask("integral")
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
                                  io::Shape{4099, 17}, io::Shape{131, 33, 3, 2}})
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

INSTANTIATE_TEST_SUITE_P(Scan, ScanRegistry, ::testing::Values("cpu", "cuda:0"),
                         [](const auto& device) { return device.param == "cpu" ? "cpu" : "gpu"; });

}  // namespace
}  // namespace warplens::gpu::testing
