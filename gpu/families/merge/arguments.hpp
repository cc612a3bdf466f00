// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/code_needs.hpp"
#include "gpu/device/device.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::merge {

/// Values of a tile that one block sorts before the first pass: 256 threads, 15 values each. Odd, so that threads which
/// walk through their own values meet no bank twice.
constexpr unsigned kSortThreads = 256, kSortItems = 15, kSortTile = kSortThreads * kSortItems;

/// Lists of values, equally long: of each channel all of them, or a part.
struct Lists {
    std::uint64_t count = 0, length = 0;
    std::uint64_t first = 0, stride = 0;  ///< list l begins at first + l * stride, in the input as in the output
};

/// One launch over sorted runs that lie side by side: in each list the first and the second become one, the third and
/// the fourth, and so on; a last one without a neighbour is copied. Input and output are different buffers, by handle,
/// with 16 bytes more than the values that can be read.
struct Pass {
    std::uint64_t input = 0, output = 0, scratch = 0;
    io::PixelType type{};
    Lists lists;
    std::uint64_t run = 0;   ///< values of a first run; the last one may be shorter
    std::uint64_t both = 0;  ///< of a first run and its second
};

/// Lists to be sorted, from `input` to `output`; `between` is another buffer like the output.
struct Sorting {
    std::uint64_t input = 0, output = 0, between = 0, scratch = 0;
    io::PixelType type{};
    Lists lists;
};

constexpr std::array<int, 11> kPermille{0, 1, 10, 50, 250, 500, 750, 950, 990, 999, 1000};

/// What is picked from sorted lists: a list's row has a word a quantile, the value's bits, and one for how many of its
/// values are numbers.
struct Picks {
    std::uint64_t input = 0, output = 0;
    io::PixelType type{};
    Lists lists;
    static constexpr std::size_t kWords = kPermille.size() + 1;
};

/// The place of a quantile among so many sorted values: the value below, where it falls between two.
constexpr std::uint64_t placeOf(int permille, std::uint64_t values) {
    const auto share = static_cast<std::uint64_t>(permille), last = values - 1;
    return last / 1000 * share + last % 1000 * share / 1000;
}

/// What a kernel file offers to the family, one instance a build: `merge`, by which lists are sorted as well, or
/// `sort`.
struct KernelEntry {
    void (*merge)(LaunchContext&, const Pass&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
    /// Of a block, for lists of values of so many bytes; null when there is none.
    std::size_t (*sharedBytes)(const TunableValues&, std::size_t valueBytes, const Lists&) = nullptr;
    /// Between the kernels of a pass; null when there is nothing.
    std::size_t (*scratchBytes)(const Pass&, const TunableValues&) = nullptr;
    CodeNeeds code{};
    /// Sorts, and makes every NaN the same one.
    void (*sort)(LaunchContext&, const Sorting&, const TunableValues&) = nullptr;
    /// Picks what can be had without sorting, or says that it cannot.
    bool (*picks)(LaunchContext&, const Sorting&, const Picks&) = nullptr;
    /// Of a sort, zero when it is made.
    std::size_t (*sortScratch)(const Sorting&) = nullptr;
};

/// What stands before and after passes, the same whatever merges.
struct StepsEntry {
    /// Sorts the tiles of each list, kSortTile values each, and makes every NaN the same one. `run` is not looked at.
    void (*sortTiles)(LaunchContext&, const Pass&) = nullptr;
    void (*pick)(LaunchContext&, const Picks&) = nullptr;
};

}  // namespace warplens::gpu::merge
