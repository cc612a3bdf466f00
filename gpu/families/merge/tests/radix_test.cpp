// SPDX-License-Identifier: Apache-2.0
// Radix sort at the edges of what it does in one block, by counting and by digits, against the standard library.
#include "gpu/families/merge/tests/merge_case.hpp"
#include "gpu/run/rows.hpp"

#include <functional>
#include <limits>
#include <tuple>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

class RadixSort : public MergeCase {
protected:
    void expectExact(const io::Grid& input, const std::string& task, const std::string& what,
                     const Scheduling& scheduling = {}) {
        auto request = mergeRequest(std::make_shared<const io::Grid>(input.clone()), task, GetParam());
        request.variants = {"radix"};
        request.scheduling = scheduling;
        const auto run = m_runner.run(request).runs.front();
        ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
        EXPECT_EQ(run.verification->mismatches, 0) << what << ": " << run.verification->firstMismatch;
        if (run.result.picture != nullptr) {
            EXPECT_TRUE(sameBits(*run.result.picture, *sortedByStd(input))) << what;
        }
    }
};

io::Grid filled(const io::Shape& shape, PixelType type, const std::function<double(std::int64_t)>& valueAt) {
    io::Grid grid(shape, type);
    for (std::int64_t i = 0; i < shape.values(); ++i)
        io::withType(type, [&]<class T>(T) { grid.as<T>()[i] = static_cast<T>(valueAt(i)); });
    return grid;
}

double mixed(std::int64_t i) { return static_cast<double>(static_cast<std::uint64_t>(i) * 2654435761U >> 7 & 0xffffU); }

// 256 threads of 8, 18 and 32 values sort a list in one block; one value more is the next way, or a second tile.
TEST_P(RadixSort, AroundWhatABlockHolds) {
    for (const int length : {2047, 2048, 2049, 4608, 4609, 8191, 8192, 8193})
        for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32})
            for (const char* task : {"sort", "quantiles"})
                expectExact(filled({length, 1}, type, mixed), task, std::to_string(length) + io::nameOf(type));
    for (const int more : {-1, 0, 1}) {
        const io::Shape shape{3 * 7680 + more, 1};
        const auto negative = [](std::int64_t i) { return mixed(i) - 30000; };
        expectExact(filled(shape, PixelType::f32, negative), "sort", "tiles");
        expectExact(filled(shape, PixelType::i32, negative), "sort", "tiles of i32");
    }
}

// Lists that begin anywhere within a pack.
TEST_P(RadixSort, ChannelsOfSeveralTiles) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::u32, PixelType::f32})
        for (const char* task : {"sort", "quantiles"})
            expectExact(filled({8209, 1, 1, 3}, type, mixed), task, std::string(io::nameOf(type)) + task);
}

// Counters of 16 bits are full at 32,768 equal values of a block's part, in either half of their word.
TEST_P(RadixSort, CountersThatAreFull) {
    constexpr std::int64_t kLength = 133 * 32800;
    expectExact(filled({kLength, 1}, PixelType::u16, [](std::int64_t i) { return i < kLength / 2 ? 2.0 : 65535.0; }),
                "sort", "two values");
}

TEST_P(RadixSort, OrdersAndSpecialValues) {
    constexpr int kLength = 2 * 7680 + 77;
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const double odd[] = {nan, -nan, infinity, -infinity, 0.0, -0.0, 1e-45, -1e-45, 3e38, -3e38};
    const auto share = [](std::int64_t i) { return static_cast<double>(i) / kLength; };
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
        const double largest = type == PixelType::u8 ? 255 : 65535;
        expectExact(filled({kLength, 1}, type, [](std::int64_t) { return 7.0; }), "sort", "equal");
        expectExact(filled({kLength, 1}, type, [&](std::int64_t) { return largest; }), "sort", "largest");
        expectExact(filled({kLength, 1}, type, [&](std::int64_t i) { return largest * share(i); }), "sort", "sorted");
        expectExact(filled({kLength, 1}, type, [&](std::int64_t i) { return largest - largest * share(i); }), "sort",
                    "reversed");
        expectExact(filled({kLength, 1}, type, [&](std::int64_t i) { return i % 3 == 0 ? largest : 0.0; }), "sort",
                    "two-valued");
    }
    for (const char* task : {"sort", "quantiles"})
        for (const int length : {1409, kLength})
            expectExact(filled({length, 1}, PixelType::f32, [&](std::int64_t i) { return odd[i * 7 % 31 % 10]; }), task,
                        "specials");
}

TEST_P(RadixSort, AnyOrderOfThreadsAndBlocks) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 7})
        for (const int workers : {1, 4})
            for (const auto type : {PixelType::u16, PixelType::f32})
                expectExact(filled({2 * 7680 + 5, 1}, type, mixed), "sort", "shuffled",
                            {.workers = workers, .shuffleSeed = seed});
}

// Counters of 65,536 values are many times a small picture: a limit that leaves no room for them names what would do.
TEST_P(RadixSort, SaysWhatItsCountersNeed) {
    const auto input = std::make_shared<const io::Grid>(filled({300, 100}, PixelType::u16, mixed));
    Request request = mergeRequest(input, "sort", GetParam());
    request.variants = {"vectorised", "radix"};
    request.memoryCap = 4 * static_cast<std::int64_t>(input->bytes());
    const auto runs = m_runner.run(request).runs;
    EXPECT_EQ(runs[0].status, Status::ok) << describe(runs[0]);
    const std::string words = "raise the memory limit to ";
    const auto at = runs[1].reason.find(words);
    ASSERT_NE(at, std::string::npos) << describe(runs[1]);
    request.memoryCap = std::stoll(runs[1].reason.substr(at + words.size()));
    EXPECT_EQ(m_runner.run(request).runs[1].status, Status::ok);
    --request.memoryCap;
    EXPECT_NE(m_runner.run(request).runs[1].status, Status::ok);
}

// A device with 48 KiB a block has no room for counters of 16 bits, but short lists need none.
TEST(RadixSortRefusals, TellListsThatNeedCountersFromThoseThatDoNot) {
    DeviceInfo device = openDevice("cpu")->info();
    device.sharedBytesPerBlock = 48 << 10;
    const Family& family = familyOf("merge");
    const Variant& radix = variantOf(family, "radix");
    for (const auto& [type, length, room] : {std::tuple(PixelType::u16, 4608, true),
                                             {PixelType::u16, 8193, false},
                                             {PixelType::u8, 8193, true},
                                             {PixelType::f32, 8193, true}}) {
        const auto problem = family.pose(std::make_shared<const io::Grid>(filled({length, 1}, type, mixed)),
                                         withDefaults(family, mergeTask("sort")));
        const std::string why = problem->refusal(radix, problem->resolved(radix, {}, device), device);
        EXPECT_EQ(why.empty(), room) << io::nameOf(type) << ' ' << length << ": " << why;
    }
}

INSTANTIATE_TEST_SUITE_P(Merge, RadixSort, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
