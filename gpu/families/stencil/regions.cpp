// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/families/stencil/operator.hpp"

#include <charconv>
#include <cmath>
#include <sstream>

namespace warplens::gpu::stencil {
namespace {

[[noreturn]] void refuse(const std::string& part, const std::string& why) {
    throw Error(Error::Kind::argument,
                "regions: '" + part.substr(0, 60) + "' " + why + ": write as in 100 at x=0; 0 at x=-1 y=3..8");
}

/// An index from the near end (0 and up) or the far end (-1 and down).
int indexIn(const std::string& text, int n, const std::string& part) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) refuse(part, "has '" + text + "' for an index");
    const int at = value < 0 ? n + value : value;
    if (at < 0 || at >= n)
        refuse(part, "lies outside: an index of this axis is -" + std::to_string(n) + " to " + std::to_string(n - 1));
    return at;
}

Region regionIn(const std::string& part, const std::array<int, 3>& extent) {
    std::istringstream words(part);
    std::string word;
    words >> word;
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str() + word.size() || !std::isfinite(static_cast<float>(value)))
        refuse(part, "does not begin with a number");
    Region region{{0, 0, 0}, {extent[0] - 1, extent[1] - 1, extent[2] - 1}, static_cast<float>(value)};
    if (!(words >> word)) return region;
    if (word != "at") refuse(part, "lacks 'at' behind its value");
    bool any = false;
    for (; words >> word; any = true) {
        const auto axis = std::string("xyz").find(word.front());
        if (axis == std::string::npos || word.size() < 3 || word[1] != '=')
            refuse(part, "has '" + word + "' for a range");
        const auto range = word.substr(2);
        const auto dots = range.find("..");
        const int n = extent[axis];
        region.first[axis] = indexIn(range.substr(0, dots), n, part);
        region.last[axis] = dots == std::string::npos ? region.first[axis] : indexIn(range.substr(dots + 2), n, part);
        if (region.first[axis] > region.last[axis]) refuse(part, "has a range that ends before it begins");
    }
    if (!any) refuse(part, "names no range behind 'at'");
    return region;
}

}  // namespace

std::vector<Region> parseRegions(const std::string& text, int width, int height, int depth) {
    std::vector<Region> regions;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        if (part.find_first_not_of(" \t\n") == std::string::npos) continue;
        if (regions.size() == kMaxRegions) refuse(part, "is one too many, 8 regions are possible");
        regions.push_back(regionIn(part, {width, height, depth}));
    }
    return regions;
}

}  // namespace warplens::gpu::stencil
