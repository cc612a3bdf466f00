// SPDX-License-Identifier: Apache-2.0
// Registry x device x window x type x channels x border x extent: every kernel, and OpenCV, against the definition.
#include "gpu/core/error.hpp"
#include "gpu/families/rank/tests/rank_case.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stop_token>
#include <thread>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
const std::vector<std::string> kBorders{"zero", "replicate", "reflect", "wrap"};

std::string text(const io::Shape& s, PixelType type) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth) + " c" +
           std::to_string(s.channels) + " " + io::nameOf(type);
}

class RankRegistry : public RankOnDevice {};

// Which rows take which window: none is lost on the way.
TEST_P(RankRegistry, WhoTakesWhat) {
    const auto rows = [&](PixelType type, const ParameterValues& values) {
        auto ok = expectAllOk(noise({33, 17}, type), values, "who");
        return ok;
    };
    const std::set<std::string> any{"naive", "selection", "histogram", "ranked_tile"};
    auto small = any;
    small.insert({"network", "shared_columns", "hierarchical", "packed_pairs", "opencv"});
    EXPECT_EQ(rows(PixelType::u8, ranked(1)), small);
    small.erase("histogram");
    EXPECT_EQ(rows(PixelType::u16, ranked(2)), small);
    small.erase("packed_pairs");
    EXPECT_EQ(rows(PixelType::f32, ranked(1)), small);
    EXPECT_EQ(rows(PixelType::f32, ranked(3)),
              (std::set<std::string>{"naive", "selection", "hierarchical", "ranked_tile"}));
    EXPECT_EQ(rows(PixelType::f32, ranked(5)),
              (std::set<std::string>{"naive", "selection", "hierarchical", "ranked_tile"}));
    EXPECT_EQ(rows(PixelType::u16, ranked(4)),
              (std::set<std::string>{"naive", "selection", "packed_pairs", "ranked_tile"}));
    EXPECT_EQ(rows(PixelType::f32, ranked(6)), (std::set<std::string>{"selection", "ranked_tile"}));
    EXPECT_EQ(rows(PixelType::u8, ranked(5, 25)), any);
    auto extreme = any;
    extreme.insert({"extremes", "opencv"});
    EXPECT_EQ(rows(PixelType::u8, ranked(5, 0)), extreme);
    EXPECT_EQ(rows(PixelType::u8, ranked(5, 100)), extreme);
    EXPECT_EQ(rows(PixelType::f32, ranked(37)), (std::set<std::string>{"selection", "ranked_tile"}));
    EXPECT_EQ(rows(PixelType::u8, crossed(37, 30)), (std::set<std::string>{"selection"}));
    EXPECT_EQ(rows(PixelType::u8, opened(5)), extreme);
    EXPECT_EQ(rows(PixelType::u8, opened(5, "replicate", "top-hat")), extreme);
    EXPECT_EQ(rows(PixelType::u8, inVolume(ranked(1))), (std::set<std::string>{"naive", "selection", "shared_planes"}));
    EXPECT_EQ(rows(PixelType::u8, inVolume(ranked(1, 20))), (std::set<std::string>{"naive", "selection"}));
    EXPECT_EQ(rows(PixelType::u8, inVolume(crossed(1))), (std::set<std::string>{"naive", "selection"}));
}

// Every width and, by turns, every height of 1 to 40, with every border: every remainder of a strip and a tile.
TEST_P(RankRegistry, EverySizeUpTo40) {
    for (int width = 1; width <= 40; ++width) {
        const int height = 1 + (width * 7 + 3) % 40;
        for (const PixelType type : kTypes) {
            const auto& border = kBorders[static_cast<std::size_t>(width + height) % 4];
            const io::Shape shape{width, height};
            expectAllOk(noise(shape, type), ranked(1 + (width + static_cast<int>(type)) % 5, 50, border),
                        text(shape, type) + border);
        }
    }
}

TEST_P(RankRegistry, EveryRadiusOfRegistersEveryTypeAndBorder) {
    for (const PixelType type : kTypes)
        for (const auto& border : kBorders)
            for (const int radius : {1, 2, 3, 4, 5})
                for (const io::Shape shape : {io::Shape{47, 29}, io::Shape{44, 23}})
                    expectAllOk(noise(shape, type), ranked(radius, 50, border), text(shape, type) + border);
}

TEST_P(RankRegistry, ChannelsAndAlpha) {
    for (const PixelType type : kTypes)
        for (const int channels : {3, 4})
            expectAllOk(noise({24, 13, 1, channels}, type), ranked(2), text({24, 13, 1, channels}, type));
    auto filtered = ranked(1);
    filtered["alpha"] = std::string("filter");
    expectAllOk(noise({17, 12, 1, 4}, PixelType::u8), filtered, "alpha filtered");
}

TEST_P(RankRegistry, EveryPercentile) {
    for (const PixelType type : kTypes)
        for (const double percentile : {0.0, 1.0, 12.5, 25.0, 49.0, 51.0, 75.0, 99.0, 100.0})
            for (const int radius : {1, 4})
                expectAllOk(noise({21, 19}, type), ranked(radius, percentile), "p" + std::to_string(percentile));
}

// Every number of passes, and tiles that are cut off.
TEST_P(RankRegistry, ErosionAndDilationOfEveryRadius) {
    for (int radius = 1; radius <= 37; ++radius)
        expectAllOk(noise({66, 33 + radius % 3}, kTypes[radius % 3]),
                    ranked(radius, radius % 2 * 100, kBorders[radius % 4]), "r" + std::to_string(radius), {"extremes"});
}

TEST_P(RankRegistry, LargeRadii) {
    for (const PixelType type : kTypes)
        for (const int radius : {5, 7, 15, 37})
            expectAllOk(noise({23, 18}, type), ranked(radius, radius == 7 ? 30 : 50, kBorders[radius % 4]),
                        std::string(io::nameOf(type)) + " r" + std::to_string(radius));
}

TEST_P(RankRegistry, Crosses) {
    for (const PixelType type : kTypes)
        for (const int radius : {1, 2, 31, 37})
            for (const double percentile : {0.0, 50.0, 80.0})
                expectAllOk(noise({19, 14}, type), crossed(radius, percentile, kBorders[radius % 4]), "cross");
}

TEST_P(RankRegistry, Volumes) {
    for (const PixelType type : kTypes)
        for (const auto& border : kBorders) {
            const auto volume = noise({9, 7, 5, type == PixelType::u8 ? 3 : 1}, type);
            expectAllOk(volume, ranked(1, 50, border), "slices " + border);
            expectAllOk(volume, inVolume(ranked(1, 50, border)), "cube " + border);
            expectAllOk(volume, inVolume(ranked(2, 20, border)), "cube of 5 " + border);
            expectAllOk(volume, inVolume(crossed(2, 50, border)), "cross " + border);
        }
    expectAllOk(noise({1, 1, 3}, PixelType::f32), inVolume(ranked(2)), "a column");
}

// Strips of threads that lie inside, at an edge and beyond it, slices at both ends.
TEST_P(RankRegistry, MediansOfCubesEverywhereInAVolume) {
    for (const PixelType type : kTypes)
        for (const auto& border : kBorders)
            for (const int radius : {1, 2})
                for (const io::Shape shape : {io::Shape{44, 7, 4}, io::Shape{39, 6, 6}, io::Shape{3, 9, 2}})
                    expectAllOk(noise(shape, type), inVolume(ranked(radius, 50, border)), text(shape, type) + border,
                                {"shared_planes"});
    for (const PixelType type : kTypes)
        expectAllOk(noise({21, 6, 3, 3}, type), inVolume(ranked(1)), "channels", {"shared_planes"});
}

// An opening and a closing go through every row that erodes and dilates.
TEST_P(RankRegistry, OpeningsAndClosings) {
    for (const PixelType type : kTypes)
        for (const auto& border : kBorders)
            for (const char* task : {"open", "close", "top-hat", "black-hat", "gradient"}) {
                expectAllOk(noise({41, 27, 1, 3}, type), opened(2, border, task), task + border);
                expectAllOk(noise({17, 12}, type), opened(9, border, task), task + border);
            }
    auto cross = opened(3);
    cross["shape"] = std::string("cross");
    expectAllOk(noise({23, 19, 1, 4}, PixelType::u8), cross, "cross, alpha kept");
    expectAllOk(noise({9, 8, 5}, PixelType::f32), inVolume(opened(1, "reflect", "close")), "cube");
    for (const char* task : {"top-hat", "black-hat", "gradient"}) {
        cross["task"] = std::string(task);
        expectAllOk(noise({23, 19, 1, 4}, PixelType::u8), cross, std::string("cross, alpha kept ") + task);
        expectAllOk(noise({9, 8, 5}, PixelType::u16), inVolume(opened(1, "reflect", task)),
                    std::string("cube ") + task);
        for (const io::Shape shape : {io::Shape{1, 1}, io::Shape{1, 9}, io::Shape{9, 1}})
            expectAllOk(noise(shape, PixelType::f32), opened(2, "zero", task), task);
    }
}

// What is not a number comes last, whatever its sign bit; infinities and both zeros in their places.
TEST_P(RankRegistry, NotANumberComesLast) {
    auto input = noise({40, 31}, PixelType::f32);
    float* values = input->as<float>();
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(),
                         -std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(),
                         -0.0F,
                         0.0F,
                         -std::numeric_limits<float>::denorm_min(),
                         -1.5F};
    for (int i = 0; i < 40 * 31; ++i) {
        if (i * 7 % 5 < 2 || i > 900) values[i] = odd[i * 13 % 8];
    }
    for (const auto& border : kBorders)
        for (const double percentile : {0.0, 50.0, 70.0, 100.0})
            for (const int radius : {1, 2, 3, 4, 5}) expectAllOk(input, ranked(radius, percentile, border), "NaN");
    auto nothing = noise({40, 31}, PixelType::f32);
    std::fill_n(nothing->as<float>(), 40 * 31, std::numeric_limits<float>::quiet_NaN());
    expectAllOk(nothing, ranked(2), "nothing but NaN");
}

// Ties, orders and two levels: the cases that a comparison of equals or a wrong rank would show.
TEST_P(RankRegistry, ConstantsRampsAndTwoLevels) {
    for (const PixelType type : kTypes)
        for (const int kind : {0, 1, 2, 3}) {
            auto input = noise({37, 26}, type);
            for (int y = 0; y < 26; ++y)
                for (int x = 0; x < 37; ++x)
                    input->setValue(x, y, 0, 0,
                                    kind == 0                 ? 200
                                    : kind == 1               ? x + 3 * y
                                    : kind == 2               ? 255 - x - 3 * y
                                    : (x * 5 + y * 3) % 7 < 3 ? 0
                                                              : 255);
            for (const int radius : {1, 2, 3, 4, 5, 6})
                expectAllOk(input, ranked(radius), "kind " + std::to_string(kind));
        }
}

TEST_P(RankRegistry, EveryTunableOfEveryVariant) {
    const auto bytes = noise({70, 41}, PixelType::u8), floats = noise({70, 41}, PixelType::f32);
    for (const Variant& variant : familyOf("rank").variants()) {
        if (variant.kind == Variant::Kind::library) continue;
        for (const auto& [width, height] : {std::pair{8, 8}, {32, 1}, {33, 7}, {128, 2}}) {
            TunableValues chosen;
            for (const auto& tunable : variant.tunables)
                chosen[tunable.id] = !tunable.choices.empty()
                                         ? tunable.choices[static_cast<std::size_t>(width) % tunable.choices.size()]
                                     : tunable.id == "block_width" ? width
                                                                   : height;
            for (const auto& input : {bytes, floats}) {
                expectAllOk(input, ranked(2, 50, "reflect"), variant.id, {variant.id}, chosen);
                expectAllOk(input, inVolume(ranked(1, 50, "reflect")), variant.id, {variant.id}, chosen);
            }
        }
    }
}

// What no multiprocessor has registers for is refused in a sentence, and what is not runs.
TEST_P(RankRegistry, BlocksThatFindNoRegistersAreRefused) {
    const auto picture = noise({64, 40}, PixelType::u8);
    for (const char* variant : {"hierarchical", "packed_pairs"})
        for (const auto& [radius, most] : {std::pair{1, 512}, {2, 512}, {3, 256}}) {
            const auto takes = [&, r = radius](int height) {
                return !expectAllOk(picture, ranked(r), variant, {variant},
                                    {{"block_width", 32}, {"block_height", height}})
                            .empty();
            };
            EXPECT_TRUE(takes(most / 32)) << variant << radius;
            EXPECT_FALSE(takes(most / 16)) << variant << radius;
        }
}

// Threads and blocks in any order give the same: a missing barrier would show.
TEST_P(RankRegistry, AnyOrderOfThreads) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 2, 3}) {
        auto request = requestOf(noise({67, 25}, PixelType::u8), ranked(3));
        request.scheduling.shuffleSeed = seed;
        for (const auto& run : m_runner.run(request).runs)
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
    }
}

TEST_P(RankRegistry, MoreLayersThanAGridHas) {
    const std::vector<std::string> variants{"selection"};
    const TunableValues one{{"block_width", 1}, {"block_height", 1}};
    expectAllOk(noise({1, 1, 66000}, PixelType::u8), ranked(1), "layers", variants, one);
    expectAllOk(noise({1, 1, 66000}, PixelType::u8), inVolume(crossed(1)), "layers of a volume", variants, one);
}

// More blocks above one another than a grid has: what cuts its rows into launches takes them.
TEST_P(RankRegistry, APictureTallerThanAGrid) {
    auto parameters = ranked(1);
    parameters["shape"] = std::string("cross");
    auto request = requestOf(noise({1, 600000}, PixelType::u8), parameters);
    request.variants = {"naive", "selection"};
    for (const auto& run : m_runner.run(request).runs) {
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        EXPECT_EQ(run.verification->mismatches, 0) << run.verification->firstMismatch;
    }
}

// Twelve seconds of a large GPU, in pieces: a stop is heard between two of them.
TEST_P(RankRegistry, LongWorkStopsSoonOnAGpu) {
    if (GetParam() == "cpu") GTEST_SKIP() << "the CPU device stops between blocks";
    const auto device = openDevice(GetParam());
    Resident resident;
    const auto problem = familyOf("rank").pose(noise({8192, 8192}, PixelType::f32), ranked(37));
    const auto session = problem->open(*device, resident);
    for (const Variant& variant : familyOf("rank").variants()) {
        if (variant.id != "selection") continue;
        std::stop_source stop;
        device->setStop(stop.get_token());
        // Loading its code cannot be stopped, and takes seconds where the driver compiles it first.
        Resident few;
        const auto small = familyOf("rank").pose(noise({64, 64}, PixelType::f32), ranked(37));
        const auto loading = small->open(*device, few);
        loading->prepare(variant, resolve(variant, {}));
        loading->launch();
        device->synchronize();
        session->prepare(variant, resolve(variant, {}));
        std::chrono::steady_clock::time_point asked;
        std::thread user([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        EXPECT_THROW(session->launch(), Error);
        user.join();
        device->synchronize();
        EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(1));
    }
}

TEST_P(RankRegistry, ALargePicture) {
    if (GetParam() == "cpu") GTEST_SKIP() << "8191 x 8209 is for the GPU: the SIMT device would take minutes";
    for (const PixelType type : kTypes)
        for (const int radius : {1, 2, 3, 4, 5, 7, 15}) {
            auto request = requestOf(noise({8191, 8209}, type), ranked(radius));
            for (const Variant& variant : familyOf("rank").variants()) {
                if (variant.kind == Variant::Kind::kernel) request.variants.push_back(variant.id);
            }
            for (const auto& run : m_runner.run(request).runs)
                EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
        }
}

INSTANTIATE_TEST_SUITE_P(Rank, RankRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
