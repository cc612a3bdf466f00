// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/binary/reference.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warplens::gpu::binary {
namespace {

using Mask = std::vector<std::uint8_t>;

void goOn(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
}

/// One slice.
struct Slice {
    std::int64_t width, height;

    std::size_t place(std::int64_t x, std::int64_t y) const { return static_cast<std::size_t>(y * width + x); }
    bool holds(std::int64_t x, std::int64_t y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

/// Whether a pixel goes, by Guo and Hall's words: counts around it, clockwise from the north.
bool goes(const Mask& mask, const Slice& slice, std::int64_t x, std::int64_t y, bool second) {
    constexpr std::array<std::pair<int, int>, 8> kAround{
        {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}};
    std::array<bool, 8> p{};
    for (std::size_t k = 0; k < 8; ++k) {
        const auto [dx, dy] = kAround[k];
        p[k] = slice.holds(x + dx, y + dy) && mask[slice.place(x + dx, y + dy)] != 0;
    }
    int ways = 0, early = 0, late = 0;
    for (std::size_t k = 0; k < 8; k += 2) {
        ways += !p[k] && (p[k + 1] || p[(k + 2) % 8]) ? 1 : 0;
        early += p[(k + 7) % 8] || p[k] ? 1 : 0;
        late += p[k] || p[k + 1] ? 1 : 0;
    }
    const int fewest = std::min(early, late);
    if (ways != 1 || fewest < 2 || fewest > 3) return false;
    return second ? !((p[4] || p[5] || !p[7]) && p[6]) : !((p[0] || p[1] || !p[3]) && p[2]);
}

void thin(Mask& mask, const Slice& slice, const std::stop_token& stop) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const bool second : {false, true}) {
            goOn(stop);
            const Mask before = mask;
            for (std::int64_t y = 0; y < slice.height; ++y)
                for (std::int64_t x = 0; x < slice.width; ++x) {
                    std::uint8_t& me = mask[slice.place(x, y)];
                    if (me == 0 || !goes(before, slice, x, y, second)) continue;
                    me = 0;
                    changed = true;
                }
        }
    }
}

void fill(Mask& mask, const Slice& slice) {
    constexpr std::uint8_t kReached = 2;
    std::vector<std::pair<std::int64_t, std::int64_t>> open;
    const auto visit = [&](std::int64_t x, std::int64_t y) {
        if (!slice.holds(x, y) || mask[slice.place(x, y)] != 0) return;
        mask[slice.place(x, y)] = kReached;
        open.emplace_back(x, y);
    };
    for (std::int64_t x = 0; x < slice.width; ++x)
        for (const std::int64_t y : {std::int64_t{0}, slice.height - 1}) visit(x, y);
    for (std::int64_t y = 0; y < slice.height; ++y)
        for (const std::int64_t x : {std::int64_t{0}, slice.width - 1}) visit(x, y);
    while (!open.empty()) {
        const auto [x, y] = open.back();
        open.pop_back();
        visit(x - 1, y);
        visit(x + 1, y);
        visit(x, y - 1);
        visit(x, y + 1);
    }
    for (std::uint8_t& one : mask) one = one == kReached ? 0 : 1;
}

}  // namespace

std::vector<std::uint8_t> insideOf(const io::Grid& input, const Case& of, std::int64_t z) {
    const io::Shape& s = input.shape();
    Mask mask;
    for (std::int64_t y = 0; y < s.height; ++y)
        for (std::int64_t x = 0; x < s.width; ++x) {
            bool inside = true;
            for (int c = 0; c < of.colours; ++c) inside = inside && input.value(x, y, z, c) > of.level;
            mask.push_back(inside ? 1 : 0);
        }
    return mask;
}

std::vector<std::uint8_t> resultOf(const io::Grid& input, const Case& of, const std::stop_token& stop) {
    const Slice slice{input.shape().width, input.shape().height};
    Mask all;
    for (std::int64_t z = 0; z < input.shape().depth; ++z) {
        goOn(stop);
        Mask mask = insideOf(input, of, z);
        if (of.thins)
            thin(mask, slice, stop);
        else
            fill(mask, slice);
        all.insert(all.end(), mask.begin(), mask.end());
    }
    return all;
}

}  // namespace warplens::gpu::binary
