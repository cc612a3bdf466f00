// SPDX-License-Identifier: Apache-2.0
// Look-back over many tiles, whatever the timing: the tiles before one have said what they say, and it alone runs.

// Kernels of this file are its own: the library has the program's.
#define simt_build far_tiles_build
#include "gpu/device/simt/kernel_environment.hpp"
#include "gpu/families/scan/kernels/carried.cuh"
#include "gpu/families/scan/kernels/look_back.cuh"
#include "gpu/families/scan/kernels/look_back_vectorised.cuh"
#include "gpu/families/scan/kernels/one_pass.cuh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using namespace scan;

constexpr unsigned kScanNumber = 5, kThreads = 32;

/// States of a scan under way, whose next block to begin draws this ticket.
std::vector<Wide> statesBefore(Wide ticket, std::size_t words) {
    std::vector<Wide> states(StatesLayout::kFirst + words);
    states[StatesLayout::kTicket] = ticket;
    states[StatesLayout::kScan] = kScanNumber;
    return states;
}

/// Of a block a tile, where tickets go on from scan to scan.
Wide ticketOf(unsigned next, unsigned tiles) { return Wide{kScanNumber} * tiles + next; }

std::vector<std::uint8_t> bytes(std::size_t count) {
    std::vector<std::uint8_t> values(count);
    unsigned state = 7;
    for (auto& value : values) value = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    return values;
}

std::uint64_t handleOf(const void* memory) { return reinterpret_cast<std::uint64_t>(memory); }

/// Tile `next` of a line runs after all before it said their own sums, and tile `last` the sum from the start.
void expectLineTile(void (*kernel)(Scan<unsigned>, Wide*), unsigned tileValues, unsigned next, unsigned last) {
    const auto values = bytes(std::size_t{next + 1} * tileValues);
    std::vector<unsigned> expected(values.begin(), values.end()), out(values.size());
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    auto states = statesBefore(ticketOf(next, next + 1), next + 1);
    for (unsigned tile = 0; tile < next; ++tile) {
        const unsigned upTo = expected[(tile + 1) * tileValues - 1];
        const unsigned own = upTo - (tile > 0 ? expected[tile * tileValues - 1] : 0);
        const bool start = tile == 0 || tile == last;
        states[StatesLayout::kFirst + tile] =
            packTileState(kScanNumber, start ? kInclusive : kPartial, start ? upTo : own);
    }
    const ScanArguments step{.input = handleOf(values.data()),
                             .output = handleOf(out.data()),
                             .type = io::PixelType::u8,
                             .lines = {.count = 1, .length = values.size(), .outer = values.size()}};
    SimtContext context;
    launch(context, kernel, dim3(1), dim3(kThreads), kScanShared<Wide>, scanOf<unsigned>(context, step, tileValues),
           states.data());
    for (std::size_t i = std::size_t{next} * tileValues; i < out.size(); ++i)
        ASSERT_EQ(out[i], expected[i]) << "tile " << next << ", sum from the start in tile " << last;
    EXPECT_EQ(states[StatesLayout::kFirst + next], packTileState(kScanNumber, kInclusive, expected.back()));
}

TEST(ScanLookBack, WalksOverAnyNumberOfTiles) {
    for (const unsigned next : {1, 2, 3, 31, 32, 33, 34, 65, 70, 131})
        for (unsigned last = 0; last < next; last += next < 30 || last + 4 > next ? 1 : 3) {
            expectLineTile(&look_back<unsigned>, kThreads * StatesPolicy::kValues, next, last);
            expectLineTile(&look_back_vectorised<std::uint8_t, unsigned>, kThreads * QuadPolicy::kValues, next, last);
        }
}

// A block that stays takes the last five tiles of a line, after others said what all before them hold.
TEST(ScanLookBack, OfCarriedSumsAddsUpAnyNumberOfTiles) {
    using P = CarriedShape<1, 1, 3, 2, 1>;
    for (const unsigned next : {1, 2, 31, 32, 33, 127, 128, 129, 300}) {
        const auto values = bytes(std::size_t{next + 5} * P::kTile);
        std::vector<unsigned> expected(values.begin(), values.end()), out(values.size());
        std::partial_sum(expected.begin(), expected.end(), expected.begin());
        auto states = statesBefore(next, next + 5);
        for (unsigned tile = 0; tile < next; ++tile) {
            const unsigned before = tile > 0 ? expected[tile * P::kTile - 1] : 0;
            states[StatesLayout::kFirst + tile] =
                packTileState(kScanNumber, kPartial, expected[(tile + 1) * P::kTile - 1] - before);
        }
        const ScanArguments step{.input = handleOf(values.data()),
                                 .output = handleOf(out.data()),
                                 .type = io::PixelType::u8,
                                 .lines = {.count = 1, .length = values.size(), .outer = values.size()}};
        SimtContext context;
        launch(context, &carried<P, std::uint8_t, unsigned>, dim3(1), dim3(P::kThreads),
               kCarriedBytes<P, std::uint8_t, unsigned>, scanOf<unsigned>(context, step, P::kTile), states.data());
        for (std::size_t i = std::size_t{next} * P::kTile; i < out.size(); ++i) ASSERT_EQ(out[i], expected[i]) << next;
    }
}

/// Tile (column, row) of an integral picture runs after those left of it and above it said what they say; which of them
/// said a sum from the start differs from row to row and from column to column.
void expectIntegralTile(unsigned column, unsigned row, unsigned salt) {
    using P = IntegralShape<std::uint8_t, 1, 16, 1, 1>;
    constexpr unsigned kRows = P::kRows, kColumns = P::kColumns;
    const IntegralTiles t{(column + 1) * kColumns, (row + 1) * kRows, column + 1, row + 1};
    const auto values = bytes(std::size_t{t.width} * t.height);
    std::vector<unsigned> inRow(values.size()), expected(values.size()), out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        inRow[i] = values[i] + (i % t.width > 0 ? inRow[i - 1] : 0);
        expected[i] = inRow[i] + (i >= t.width ? expected[i - t.width] : 0);
    }
    const unsigned tiles = t.across * t.down;
    unsigned number = 0;
    while (IntegralTile(number, t).column != column || IntegralTile(number, t).row != row) ++number;
    auto states = statesBefore(ticketOf(number, tiles), tiles * P::kWords);
    const auto publish = [&](unsigned x, unsigned y, unsigned word, bool start, unsigned upTo, unsigned before) {
        states[StatesLayout::kFirst + (y * t.across + x) * P::kWords + word] =
            packTileState(kScanNumber, start ? kInclusive : kPartial, start ? upTo : upTo - before);
    };
    for (unsigned x = 0; x < column; ++x)
        for (unsigned r = 0; r < kRows; ++r) {
            const unsigned* const line = &inRow[(row * kRows + r) * t.width + x * kColumns];
            publish(x, row, r, x == (r + salt) % column || x == 0, line[kColumns - 1], x > 0 ? line[-1] : 0);
        }
    for (unsigned y = 0; y < row; ++y)
        for (unsigned c = 0; c < kColumns; ++c) {
            const std::size_t top = std::size_t{y} * kRows * t.width + column * kColumns + c;
            publish(column, y, kRows + c, y == (c + salt) % row || y == 0, expected[top + (kRows - 1) * t.width],
                    y > 0 ? expected[top - t.width] : 0);
        }
    SimtContext context;
    launch(context, &one_pass<P>, dim3(1), dim3(P::kThreads), P::kCut.sharedBytes(1), values.data(), out.data(), t,
           tiles, states.data());
    for (unsigned y = row * kRows; y < t.height; ++y)
        for (unsigned x = column * kColumns; x < t.width; ++x)
            ASSERT_EQ(out[y * t.width + x], expected[y * t.width + x]) << "tile " << column << ", " << row;
}

TEST(ScanLookBack, OfAnIntegralWalksOverAnyNumberOfTilesBothWays) {
    constexpr unsigned kBatch = OnePassPolicy::kBatch;
    for (const unsigned column : {0U, 1U, 2U, 3U, kBatch, 2 * kBatch + 1, 4 * kBatch + 2, OnePassPolicy::kAcross + 1})
        for (const unsigned row : {0U, 1U, 2U, 3U, kBatch, kBatch + 1, 2 * kBatch + 2})
            for (const unsigned salt : {0U, 5U}) expectIntegralTile(column, row, salt);
}

// Edges right and below, whole quads in each row.
template <class T>
void expectWideIntegral(unsigned width, unsigned height) {
    using P = IntegralPolicy<T>;
    const Integral picture{.width = static_cast<int>(width), .height = static_cast<int>(height)};
    const IntegralTiles t = tilesOf(picture, P::kCut);
    std::vector<T> values(std::size_t{width} * height);
    std::vector<typename P::Sum> inRow(values.size()), expected(values.size()), out(values.size());
    const auto noise = bytes(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<T>(noise[i] % 32);  // whose sums are exact in a float
        inRow[i] = values[i] + (i % width > 0 ? inRow[i - 1] : 0);
        expected[i] = inRow[i] + (i >= width ? expected[i - width] : 0);
    }
    const unsigned tiles = t.across * t.down;
    auto states = statesBefore(ticketOf(0, tiles), std::size_t{tiles} * P::kWords);
    SimtContext context;
    for (int scans = 1; scans <= 2; ++scans) {  // the second begins with what the first left
        std::fill(out.begin(), out.end(), typename P::Sum{0});
        launch(context, &one_pass<P>, dim3(tiles), dim3(P::kThreads), P::kCut.sharedBytes(sizeof(T)), values.data(),
               out.data(), t, tiles, states.data());
        EXPECT_EQ(out, expected) << width << " x " << height << ", scan " << scans;
    }
}

TEST(ScanLookBack, OfAnIntegralInWideTilesTakesEdges) {
    expectWideIntegral<float>(516, 131);
    expectWideIntegral<std::uint16_t>(260, 67);
    expectWideIntegral<std::uint8_t>(4, 257);
}

TEST(ScanIntegral, HasWideTilesWhereTheyWereFaster) {
    const auto wide = [](io::PixelType type, int width, int height) {
        return integralCut({.type = type, .width = width, .height = height}, 512).wide;
    };
    EXPECT_TRUE(wide(io::PixelType::f32, 4096, 3072));
    EXPECT_FALSE(wide(io::PixelType::f32, 8191, 8191));
    EXPECT_FALSE(wide(io::PixelType::u8, 8191, 8191));
    EXPECT_FALSE(wide(io::PixelType::u16, 2048, 2048));
    EXPECT_TRUE(wide(io::PixelType::u8, 2048, 2048));
}

TEST(ScanLookBack, OfACompactionWalksOverAnyNumberOfTiles) {
    constexpr unsigned kValues = kThreads * QuadPolicy::kValues;
    for (const unsigned next : {1, 2, 3, 33, 67})
        for (const unsigned last : {0U, next / 2, next - 1}) {
            const auto values = bytes(std::size_t{next + 1} * kValues);
            std::vector<unsigned> expected, kept(values.size()), upTo;
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (values[i] > 100) expected.push_back(static_cast<unsigned>(i));
                if (i % kValues == kValues - 1) upTo.push_back(static_cast<unsigned>(expected.size()));
            }
            auto states = statesBefore(ticketOf(next, next + 1), next + 1);
            for (unsigned tile = 0; tile < next; ++tile)
                states[StatesLayout::kFirst + tile] =
                    tile == last || tile == 0 ? packTileState(kScanNumber, kInclusive, upTo[tile])
                                              : packTileState(kScanNumber, kPartial, upTo[tile] - upTo[tile - 1]);
            unsigned count = 0;
            SimtContext context;
            launch(context, &compact<std::uint8_t>, dim3(1), dim3(kThreads),
                   (CompactionPolicy::kSums + kValues) * sizeof(unsigned), values.data(), kept.data(), &count,
                   CompactionArguments{.type = io::PixelType::u8, .level = 100, .count = values.size()}, next + 1,
                   states.data());
            ASSERT_EQ(count, expected.size());
            for (std::size_t i = upTo[next - 1]; i < count; ++i) ASSERT_EQ(kept[i], expected[i]) << next << " " << last;
        }
}

}  // namespace
}  // namespace warplens::gpu::testing
