// SPDX-License-Identifier: Apache-2.0
// A film's steps in words.
#include "gpu/trace/film.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace warplens::gpu {
namespace {

std::string counted(std::int64_t n, const char* one, const char* many) {
    return std::to_string(n) + " " + (n == 1 ? one : many);
}

/// "4 of one row and 28 of the next", where the pixels lie in two rows; of more, how many; of one, nothing.
std::string rowsOf(const Film& film, const std::set<std::int64_t>& values) {
    std::map<std::int64_t, int> rows;
    for (const std::int64_t value : values) ++rows[value / film.extent[0]];
    if (rows.size() < 2) return {};
    if (rows.size() > 2) return " in " + std::to_string(rows.size()) + " rows";
    return ", " + std::to_string(rows.begin()->second) + " of one row and " + std::to_string(rows.rbegin()->second) +
           (rows.rbegin()->first == rows.begin()->first + 1 ? " of the next" : " of another");
}

}  // namespace

std::string accessOf(const WarpSite& site) { return std::string(nameOf(site.space)) + " " + nameOf(site.operation); }

std::string sentenceOf(const Film& film, const FilmStep& step) {
    const WarpSite& site = film.siteOf(step);
    const std::string warp = "Warp " + std::to_string(step.warp);
    const int lanes = std::popcount(step.request.mask);
    const bool atomic = site.operation == Operation::atomic, load = site.operation == Operation::load;
    if (site.space == Space::constant)
        return warp + " reads " + counted(step.request.count.words, "word", "words") + " of constant memory";
    if (step.array >= 0) {
        std::set<std::int64_t> cells;
        for (const auto& [lane, cell] : cellsTouched(film, step)) cells.insert(cell);
        const std::string of = counted(static_cast<std::int64_t>(cells.size()), "cell", "cells") + " of " +
                               film.arrays[static_cast<std::size_t>(step.array)].name;
        if (atomic) return warp + " adds with " + counted(lanes, "lane", "lanes") + " to " + of;
        return warp + (load ? " reads " : " fills ") + of;
    }
    const auto touched = valuesTouched(film, step);
    const std::set<std::int64_t> values(touched.begin(), touched.end());
    if (!values.empty() && !atomic)
        return warp + (load ? " reads " : " writes ") +
               counted(static_cast<std::int64_t>(values.size()), "pixel", "pixels") + rowsOf(film, values);
    const std::string buffer = " of buffer " + std::to_string(step.request.buffer);
    if (atomic)
        return warp + " updates " + counted(step.request.count.words, "word", "words") + buffer + " with " +
               counted(lanes, "lane", "lanes");
    return warp + (load ? " reads " : " writes ") +
           counted(step.request.count.usefulBytes / std::max(1, site.bytes), "value", "values") + buffer;
}

std::string costOf(const Film& film, const FilmStep& step) {
    const WarpSite& site = film.siteOf(step);
    const AccessCount& count = step.request.count;
    if (site.operation == Operation::atomic)
        return count.worst > 1 ? counted(count.worst, "lane", "lanes") + " queue on one address"
                               : "no two lanes on one address";
    if (site.space == Space::constant) return count.words == 1 ? "one word for all lanes" : "";
    if (site.space == Space::shared) {
        if (count.wavefronts <= 1) return "1 wavefront: no bank conflict";
        const std::string passes = std::to_string(count.wavefronts) + " wavefronts";
        return site.bytes > 4 ? passes + ": " + std::to_string(site.bytes) + " bytes per lane"
                              : passes + ": a " + std::to_string(count.worst) + "-way bank conflict";
    }
    const std::int64_t least = (count.usefulBytes + 31) / 32;
    const std::string sectors = counted(count.sectors, "sector", "sectors");
    return count.sectors > least ? sectors + " where " + std::to_string(least) + " would do"
                                 : sectors + ", no fewer would do";
}

std::string textOfBits(std::uint32_t bits) {
    const std::uint32_t exponent = bits >> 23 & 0xffU;
    // As f32 a small integer would be a denormal number, and a small negative one no number.
    if (exponent == 0 && bits < 0x00800000U) return std::to_string(bits);
    if (exponent == 0xffU) return std::to_string(static_cast<std::int32_t>(bits));
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", static_cast<double>(std::bit_cast<float>(bits)));
    return text;
}

}  // namespace warplens::gpu
