// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/edges.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace warplens::gpu::histogram {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(Error::Kind::argument, what); }

std::string printed(double value) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

Range parseRange(const std::string& text) {
    const std::string wanted = ": give LO,HI with LO below HI, as 0,256";
    const auto comma = text.find(',');
    double ends[2] = {0, 0};
    const char* part[3] = {text.data(), text.data() + comma + 1, text.data() + text.size() + 1};
    for (int i = 0; i < 2; ++i) {
        if (comma == std::string::npos) refuse("range: '" + text.substr(0, 60) + "' has no comma" + wanted);
        const char* from = part[i];
        const char* to = part[i + 1] - 1;
        while (from < to && *from == ' ') ++from;
        while (from < to && to[-1] == ' ') --to;
        if (from < to && *from == '+') ++from;
        const auto [end, error] = std::from_chars(from, to, ends[i]);
        if (error != std::errc() || end != to)
            refuse("range: '" + text.substr(0, 60) + "' is not two numbers" + wanted);
    }
    const auto [lo, hi] = ends;
    if (!std::isfinite(lo) || !std::isfinite(hi))
        refuse("range: '" + text.substr(0, 60) + "' has an end that is not a finite number" + wanted);
    if (lo == hi) refuse("range: " + printed(lo) + "," + printed(hi) + " is empty" + wanted);
    if (lo > hi) refuse("range: " + printed(lo) + "," + printed(hi) + " is reversed" + wanted);
    // Edges multiply the width by up to 65,536.
    if (hi - lo > std::numeric_limits<double>::max() / kMostBins)
        refuse("range: " + text.substr(0, 60) + " is too wide to be divided" + wanted);
    return {lo, hi};
}

Edges edgesOf(Range range, int bins) {
    Edges edges;
    edges.width = (range.hi - range.lo) / bins;
    edges.values.resize(static_cast<std::size_t>(bins) + 1);
    for (int k = 0; k <= bins; ++k) {
        edges.values[static_cast<std::size_t>(k)] = std::min(range.hi, range.lo + k * (range.hi - range.lo) / bins);
    }
    edges.values.back() = range.hi;
    return edges;
}

Edges edgesOfWidth(Range range, double width) {
    // A last bin of less than a billionth of the width is rounding, not meant.
    const double count = std::max(1.0, std::ceil((range.hi - range.lo) / width - 1e-9));
    if (!(count <= kMostBins)) {
        refuse("bin-width: " + printed(width) + " makes more than 65,536 bins of " + printed(range.lo) + " to " +
               printed(range.hi) + ": give a larger width or a smaller range");
    }
    Edges edges;
    edges.width = width;
    const auto bins = static_cast<int>(count);
    edges.values.resize(static_cast<std::size_t>(bins) + 1);
    for (int k = 0; k < bins; ++k) edges.values[static_cast<std::size_t>(k)] = std::min(range.hi, range.lo + k * width);
    edges.values.back() = range.hi;
    edges.equal = std::fabs(range.lo + bins * width - range.hi) <= 1e-9 * width;
    return edges;
}

std::vector<std::uint32_t> lookUpTable(const Edges& edges, io::PixelType type) {
    std::vector<std::uint32_t> table(type == io::PixelType::u8 ? 256 : 65536);
    std::uint32_t bin = 0;
    for (std::size_t v = 0; v < table.size(); ++v) {
        const auto value = static_cast<double>(v);
        if (value < edges.lo()) {
            table[v] = belowSlot(edges.bins());
        } else if (value >= edges.hi()) {
            table[v] = aboveSlot(edges.bins());
        } else {
            while (value >= edges.values[bin + 1]) ++bin;
            table[v] = bin;
        }
    }
    return table;
}

int shiftOf(const std::vector<std::uint32_t>& table) {
    for (int shift = 0; shift <= 16; ++shift) {
        bool same = true;
        for (std::size_t v = 0; v < table.size() && same; ++v) same = table[v] == v >> shift;
        if (same) return shift;
    }
    return -1;
}

std::vector<float> thresholds(const Edges& edges) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr double kMax = std::numeric_limits<float>::max();
    std::vector<float> list;
    list.reserve(edges.values.size());
    for (const double edge : edges.values) {
        if (edge > kMax) {
            list.push_back(kInfinity);
        } else if (edge < -kMax) {
            list.push_back(-std::numeric_limits<float>::max());
        } else {
            const auto nearest = static_cast<float>(edge);
            list.push_back(static_cast<double>(nearest) < edge ? std::nextafter(nearest, kInfinity) : nearest);
        }
    }
    return list;
}

Guess guessOf(const Edges& edges) {
    constexpr double kUnit = 0x1p-24;  // half a unit in the last place of f32, relative
    const double span = edges.hi() - edges.lo(), scale = 1 / edges.width;
    Guess guess;
    const double kMax = std::numeric_limits<float>::max();
    if (!(scale < kMax) || !(scale > std::numeric_limits<float>::min()) || !(std::fabs(edges.lo()) < kMax))
        return guess;
    guess.lo = static_cast<float>(edges.lo());
    guess.scale = static_cast<float>(scale);
    // What separates g from the place in exact arithmetic, in bins: lo rounded, scale rounded, a difference and a
    // product rounded, and the edges themselves rounded in double.
    const double shift = std::fabs(edges.lo() - static_cast<double>(guess.lo)) * scale;
    const double most = span * scale + shift;
    const double edge =
        4 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(edges.lo()), std::fabs(edges.hi())) * scale;
    // The unit on top covers half and limit being rounded themselves.
    const double error = 1.01 * (shift + 3 * kUnit * most + edge) + 2 * kUnit;
    guess.half = static_cast<float>(0.5 - error);
    guess.limit = std::nextafter(static_cast<float>(span * scale - error), 0.0F);
    return guess;
}

}  // namespace warplens::gpu::histogram
