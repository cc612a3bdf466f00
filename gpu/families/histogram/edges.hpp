// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/pixel_type.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::histogram {

/// Where counting begins and ends: lo <= v < hi. Both finite, lo < hi.
struct Range {
    double lo = 0, hi = 1;
};

/// The edges of the bins: bin k holds values[k] <= v < values[k + 1]; the first edge is lo, the last hi.
struct Edges {
    std::vector<double> values;
    double width = 1;   ///< of every bin but a narrower last one
    bool equal = true;  ///< all bins are of one width

    int bins() const { return static_cast<int>(values.size()) - 1; }
    double lo() const { return values.front(); }
    double hi() const { return values.back(); }
};

/// Reads "LO,HI". Throws Error(argument) when it is malformed, empty, reversed or not finite.
Range parseRange(const std::string& text);

constexpr int kMostBins = 65536;

/// e_k = lo + k (hi - lo) / bins in double; the last edge is hi itself.
Edges edgesOf(Range range, int bins);
/// e_k = lo + k width in double; the last edge is hi itself, so that the last bin may be narrower. Throws
/// Error(argument) for more than 65,536 bins.
Edges edgesOfWidth(Range range, double width);

/// What a value falls into, as kernels number it: bin k is slot k, then come three slots for the rest.
constexpr int kSlotsBeside = 3;
constexpr unsigned belowSlot(int bins) { return static_cast<unsigned>(bins); }
constexpr unsigned aboveSlot(int bins) { return static_cast<unsigned>(bins) + 1; }
constexpr unsigned nanSlot(int bins) { return static_cast<unsigned>(bins) + 2; }

/// The slot of every value of an integer type: 256 entries for u8, 65,536 for u16.
std::vector<std::uint32_t> lookUpTable(const Edges& edges, io::PixelType type);
/// The s with table[v] == v >> s for every v, or -1: then the table need not be read.
int shiftOf(const std::vector<std::uint32_t>& table);

/// For each edge the smallest f32 that is not below it, so that v >= edge as f32 exactly when v >= edge in double.
std::vector<float> thresholds(const Edges& edges);

/// How a kernel guesses the bin of a float: g = (v - lo) * scale in f32, bin floor(g). The guess is certain where
/// |g - floor(g) - 0.5| < half and 0 <= g < limit; elsewhere the thresholds decide.
struct Guess {
    float lo = 0, scale = 0, half = -1, limit = 0;
};
Guess guessOf(const Edges& edges);

}  // namespace warplens::gpu::histogram
