// SPDX-License-Identifier: Apache-2.0
// Registry x device x task x type x channels x size x order of values: every kernel against the standard library.
#include "gpu/families/merge/tests/merge_case.hpp"

#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::u32, PixelType::i32, PixelType::f32};

std::set<std::string> rowsOf(const std::string& task) {
    std::set<std::string> rows{"naive",      "co_rank",      "tiled",   "circular_buffer",
                               "vectorised", "asynchronous", "std_sort"};
    if (task != "merge") rows.insert("radix");
    return rows;
}

std::string text(const io::Shape& s, PixelType type) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth) + " c" +
           std::to_string(s.channels) + " " + io::nameOf(type);
}

/// Noise over the type's whole range, of both signs where it has them.
std::shared_ptr<io::Grid> values(const io::Shape& shape, PixelType type) {
    auto grid = noise(shape, type, static_cast<std::uint64_t>(shape.width + 7));
    const auto count = static_cast<std::size_t>(shape.values());
    if (type == PixelType::f32)
        for (std::size_t i = 0; i < count; ++i) grid->as<float>()[i] = grid->as<float>()[i] * 8 - 4;
    if (type == PixelType::i32)
        for (std::size_t i = 0; i < count; ++i)
            grid->as<std::int32_t>()[i] = static_cast<std::int32_t>(grid->as<std::uint32_t>()[i] * 2654435761U);
    return grid;
}

class MergeRegistry : public MergeCase {
protected:
    void everyTask(const io::Shape& shape, PixelType type) {
        const auto input = values(shape, type);
        for (const char* task : {"merge", "sort", "quantiles"})
            EXPECT_EQ(expectSorted(input, task, text(shape, type) + " " + task), rowsOf(task));
    }
};

TEST_P(MergeRegistry, EveryLengthUpToSeventy) {
    for (const auto type : kTypes)
        for (int length = 1; length <= 70; ++length)
            for (const char* task : {"merge", "sort"})
                EXPECT_EQ(expectSorted(values({length, 1}, type), task, text({length, 1}, type)), rowsOf(task));
}

// One value more or less than tiles of sorting and of merging hold, and lengths that leave every remainder of a pack.
TEST_P(MergeRegistry, EveryRemainderAroundTiles) {
    for (int more = -1; more < 15; ++more) {
        const io::Shape shape{2 * 3840 + more, 1};
        for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32})
            EXPECT_EQ(expectSorted(values(shape, type), "merge", text(shape, type)), rowsOf("merge"));
    }
}

// Planes of odd lengths begin anywhere within a pack.
TEST_P(MergeRegistry, EveryTaskTypeChannelsAndVolumes) {
    for (const auto type : kTypes)
        for (const auto& shape : {io::Shape{13, 101, 1, 3}, io::Shape{7, 11, 5, 4}, io::Shape{1, 1}})
            everyTask(shape, type);
}

// Three passes, the last pair of runs without a second one, or with a short one.
TEST_P(MergeRegistry, SortsOfSeveralPasses) {
    for (const int length : {3841, 4 * 3840 + 1, 7 * 3840 - 1}) {
        expectSorted(values({length, 1}, PixelType::f32), "sort", text({length, 1}, PixelType::f32));
        expectSorted(values({length, 1}, PixelType::u8), "sort", text({length, 1}, PixelType::u8));
    }
}

TEST_P(MergeRegistry, EveryOrderOfValues) {
    constexpr int kLength = 2503;
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const float odd[] = {nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1e-45F, -1e-45F, 3e38F, -3e38F};
    const std::vector<std::pair<const char*, float (*)(int)>> orders{
        {"equal", [](int) { return 7.0F; }},
        {"sorted", [](int i) { return static_cast<float>(i / 11); }},
        {"reversed", [](int i) { return static_cast<float>((kLength - i) / 11); }},
        {"two-valued", [](int i) { return i % 3 == 0 ? 255.0F : 0.0F; }},
        {"all of one half before the other", [](int i) { return i < kLength / 2 ? 1.0F : 2.0F; }},
        {"all of one half behind the other", [](int i) { return i < kLength / 2 ? 2.0F : 1.0F; }}};
    for (const auto& [name, valueAt] : orders)
        for (const auto type : {PixelType::u8, PixelType::f32}) {
            auto input = std::make_shared<io::Grid>(io::Shape{kLength, 1}, type);
            for (int x = 0; x < kLength; ++x) input->setValue(x, 0, 0, 0, valueAt(x));
            for (const char* task : {"merge", "sort"}) EXPECT_EQ(expectSorted(input, task, name), rowsOf(task));
        }
    auto input = std::make_shared<io::Grid>(io::Shape{kLength, 1}, PixelType::f32);
    for (int x = 0; x < kLength; ++x) input->as<float>()[x] = odd[x * 7 % 31 % 10];
    for (const char* task : {"merge", "sort", "quantiles"})
        EXPECT_EQ(expectSorted(input, task, "specials"), rowsOf(task));
}

TEST_P(MergeRegistry, EveryTunableOfEveryVariant) {
    const auto input = values({9001, 1}, PixelType::u16);
    for (const Variant& variant : familyOf("merge").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : tunable.choices) {
                auto request = mergeRequest(input, "merge", GetParam());
                request.variants = {variant.id};
                request.tunables = {{tunable.id, value}};
                const auto run = m_runner.run(request).runs.front();
                EXPECT_EQ(run.status, Status::ok) << tunable.id << " " << value << ": " << describe(run);
            }
}

TEST_P(MergeRegistry, AnyOrderOfThreadsAndBlocks) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 7})
        for (const int workers : {1, 4})
            expectSorted(values({2203, 2}, PixelType::f32), "sort", "shuffled", {{"block_width", 64}},
                         {.workers = workers, .shuffleSeed = seed});
}

TEST_P(MergeRegistry, RepeatedLaunchesBeginAnew) {
    for (const char* task : {"merge", "sort", "quantiles"}) {
        auto request = mergeRequest(values({83, 97}, PixelType::u8), task, GetParam());
        request.timing = {.warmUps = 1, .minimumSamples = 2, .maximumSamples = 2};
        for (const auto& run : m_runner.run(request).runs)
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
    }
}

INSTANTIATE_TEST_SUITE_P(Merge, MergeRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
