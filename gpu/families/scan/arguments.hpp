// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/scan/value_range.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::scan {

/// What sums are kept in: 32 bits, modulo 2^32 or single precision; 64 where a window may hold more than 32 bits do.
enum class SumType { u32, f32, u64, f64 };

constexpr std::size_t sizeOf(SumType type) { return type == SumType::u32 || type == SumType::f32 ? 4 : 8; }

/// Lines of values that are summed one apart from another. Line l begins at l / inner * outer + l % inner.
struct Lines {
    std::uint64_t count = 0, length = 0;
    std::uint64_t stride = 1;  ///< from a value of a line to the next
    std::uint64_t inner = 1, outer = 0;
};

/// One scan on one device, as launchers see it. Buffers by handle.
struct ScanArguments {
    std::uint64_t input = 0, output = 0, scratch = 0;
    int multiprocessors = 1;
    io::PixelType type{};
    bool ownSums = false;  ///< the input holds sums, of type `sum`, and may be the output
    bool marks = false;    ///< a value counts 1 when it is above the level, else 0
    float level = 0;
    SumType sum = SumType::u32;
    bool exclusive = false;
    Lines lines;
};

/// Tiles of pictures whose values are counted: of equalise one a slice, the slice itself.
struct Bins {
    io::PixelType type{};
    int width = 0, height = 0, slices = 1;  ///< slices of all channels
    int tilesX = 1, tilesY = 1, tileWidth = 0, tileHeight = 0;
    int bins = 256;
    bool local = false;  ///< tables of tiles are blended (clahe)
    int clip = 0;        ///< of a bin; 0: none
    std::uint64_t input = 0, counts = 0, tables = 0, output = 0;

    std::int64_t tiles() const { return std::int64_t{tilesX} * tilesY * slices; }
};

/// An integral picture, slice by slice.
struct Integral {
    io::PixelType type{};
    int width = 0, height = 0, slices = 1;
    std::uint64_t input = 0, output = 0, scratch = 0;
};

/// Windows over an integral picture, or over the picture itself.
struct Windows {
    io::PixelType type{};
    int width = 0, height = 0, slices = 1, radius = 1;
    bool threshold = false;
    double offset = 0;
    ValueRange range;  ///< of floats
    std::uint64_t input = 0, sums = 0, output = 0;
};

/// Marked values and how many of a channel come before them.
struct CompactionArguments {
    io::PixelType type{};
    float level = 0;
    std::uint64_t count = 0;  ///< values of a channel
    int channels = 1, multiprocessors = 1;
    std::uint64_t input = 0, places = 0, scratch = 0;
    std::uint64_t kept = 0;    ///< u32 each, channels `count` apart
    std::uint64_t counts = 0;  ///< u32 a channel
};

/// What a kernel file offers to the family, one instance a build: a scan, tasks as a whole, or counts of bins.
struct KernelEntry {
    void (*scan)(LaunchContext&, const ScanArguments&, const TunableValues&) = nullptr;
    void (*count)(LaunchContext&, const Bins&, const TunableValues&) = nullptr;
    void (*integral)(LaunchContext&, const Integral&, const TunableValues&) = nullptr;
    void (*windows)(LaunchContext&, const Windows&, const TunableValues&) = nullptr;
    void (*compact)(LaunchContext&, const CompactionArguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
    Footprint (*compactFootprint)(const TunableValues&) = nullptr;  ///< null: as the others'
    /// Between the kernels of a scan; null when there is nothing.
    std::size_t (*scratchBytes)(const ScanArguments&, const TunableValues&) = nullptr;
    std::size_t (*integralScratch)(const Integral&, const TunableValues&) = nullptr;
    std::size_t (*compactScratch)(const CompactionArguments&, const TunableValues&) = nullptr;
    /// Of a block; null where it is the same for every case.
    std::size_t (*windowsShared)(const Windows& windows) = nullptr;
    /// Additions and products in f32 that a value of a window goes through at most. Null: none.
    int (*windowsDepth)(const Windows& windows) = nullptr;
    std::size_t (*compactShared)(io::PixelType type, const TunableValues&) = nullptr;
    std::size_t (*scanShared)(io::PixelType type) = nullptr;
    /// Additions that a sum of so many values went through at most, one after another, whatever the tunables.
    double (*depth)(double length) = nullptr;
    bool wide = true;                           ///< takes sums of 64 bits
    bool strided = true;                        ///< takes lines whose values lie apart; else columns go in strips
    bool byLines = false;                       ///< a thread a line: columns of an integral by itself, too
    bool halves = true;                         ///< counts bins of 16 bits
    bool inPlace = true;                        ///< its lines may be its sums, as an integral's columns are
    std::uint64_t longest = ~std::uint64_t{0};  ///< values of a line that it takes
    std::uint64_t mostAdditions = 0;            ///< of prefixes added up one by one; 0: it adds up no prefix twice
    int largestRadius = 0;                      ///< of a window; 0: any

    /// Neither lines nor grey values.
    bool windowsAlone() const { return scan == nullptr && integral == nullptr && count == nullptr; }
};

/// What follows or precedes a scan, the same whatever scans.
struct StepsEntry {
    /// Sums down columns, in strips of neighbours.
    void (*columns)(LaunchContext&, const ScanArguments&) = nullptr;
    void (*windows)(LaunchContext&, const Windows&) = nullptr;
    void (*pick)(LaunchContext&, const CompactionArguments&) = nullptr;
    void (*clearCounts)(LaunchContext&, const Bins&) = nullptr;
    void (*tables)(LaunchContext&, const Bins&) = nullptr;
    void (*lookUp)(LaunchContext&, const Bins&) = nullptr;
};

}  // namespace warplens::gpu::scan
