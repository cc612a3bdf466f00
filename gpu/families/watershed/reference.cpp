// SPDX-License-Identifier: Apache-2.0
// Not as kernels do it: distances by lower envelopes (Meijster 2000), peaks in the order of height, regions one by one.
#include "gpu/families/watershed/reference.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warplens::gpu::watershed {
namespace {

constexpr std::int64_t kNone = std::int64_t{1} << 40;

struct Slice {
    std::int64_t width, height;
    std::vector<bool> inside;
    std::vector<std::int64_t> square;

    std::size_t at(std::int64_t x, std::int64_t y) const { return static_cast<std::size_t>(y * width + x); }
    template <class F>
    void eachNeighbour(std::size_t p, F f) const {
        const auto x = static_cast<std::int64_t>(p) % width, y = static_cast<std::int64_t>(p) / width;
        for (std::int64_t v = std::max<std::int64_t>(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
            for (std::int64_t u = std::max<std::int64_t>(0, x - 1); u <= std::min(width - 1, x + 1); ++u)
                if (u != x || v != y) f(at(u, v));
    }
};

void measure(Slice& s) {
    std::vector<std::int64_t> away(s.inside.size(), kNone);
    for (std::int64_t x = 0; x < s.width; ++x) {
        std::int64_t last = -kNone;
        for (std::int64_t y = 0; y < s.height; ++y) {
            if (!s.inside[s.at(x, y)]) last = y;
            away[s.at(x, y)] = y - last;
        }
        last = kNone;
        for (std::int64_t y = s.height - 1; y >= 0; --y) {
            if (!s.inside[s.at(x, y)]) last = y;
            away[s.at(x, y)] = std::min(away[s.at(x, y)], last - y);
        }
    }
    s.square.assign(s.inside.size(), kNone);
    for (std::int64_t y = 0; y < s.height; ++y) {
        std::vector<std::int64_t> column, from;
        const auto high = [&](std::int64_t x) { return away[s.at(x, y)] * away[s.at(x, y)]; };
        const auto value = [&](std::int64_t x, std::int64_t c) { return (x - c) * (x - c) + high(c); };
        for (std::int64_t u = 0; u < s.width; ++u) {
            if (away[s.at(u, y)] > s.height) continue;  // nothing in this column
            while (!column.empty() && value(from.back(), column.back()) >= value(from.back(), u)) {
                column.pop_back();
                from.pop_back();
            }
            if (column.empty()) {
                column.push_back(u);
                from.push_back(0);
                continue;
            }
            const std::int64_t i = column.back();
            // The first place at which u is nearer.
            const std::int64_t over = u * u - i * i + high(u) - high(i), twice = 2 * (u - i);
            const std::int64_t first = over < 0 ? 0 : over / twice + 1;
            if (first >= s.width) continue;
            column.push_back(u);
            from.push_back(first);
        }
        std::size_t k = 0;
        for (std::int64_t x = 0; x < s.width && !column.empty(); ++x) {
            while (k + 1 < from.size() && from[k + 1] <= x) ++k;
            s.square[s.at(x, y)] = value(x, column[k]);
        }
    }
}

}  // namespace

std::vector<bool> partsOf(const io::Grid& input, const Case& of, const std::stop_token& stop) {
    const io::Shape& shape = input.shape();
    std::vector<bool> parts;
    for (std::int64_t z = 0; z < shape.depth; ++z) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
        Slice s{shape.width, shape.height, {}, {}};
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x) {
                bool inside = true;
                for (int c = 0; c < of.colours; ++c) inside = inside && input.value(x, y, z, c) > double{of.level};
                s.inside.push_back(inside);
            }
        measure(s);
        std::vector<std::size_t> order, peak(s.inside.size());
        for (std::size_t p = 0; p < s.inside.size(); ++p)
            if (s.inside[p]) order.push_back(p);
        const auto higher = [&](std::size_t a, std::size_t b) {
            return s.square[a] != s.square[b] ? s.square[a] > s.square[b] : a < b;
        };
        std::ranges::sort(order, higher);
        for (const std::size_t p : order) {
            std::size_t best = p;
            s.eachNeighbour(p, [&](std::size_t q) {
                if (s.inside[q] && higher(q, best)) best = q;
            });
            peak[p] = best == p ? p : peak[best];
        }
        std::vector<std::size_t> region(s.inside.size());
        std::iota(region.begin(), region.end(), std::size_t{0});
        const auto rootOf = [&](std::size_t p) {
            while (region[p] != p) p = region[p] = region[region[p]];
            return p;
        };
        // What no pixel outside bounds has the height that kernels give it.
        const auto root = [&](std::size_t p) {
            return std::sqrt(static_cast<float>(std::min<std::int64_t>(s.square[p], 0xffffffff)));
        };
        for (const std::size_t p : order)
            s.eachNeighbour(p, [&](std::size_t q) {
                if (!s.inside[q] || peak[q] == peak[p]) return;
                const float lower = std::min(root(peak[p]), root(peak[q])), pass = std::min(root(p), root(q));
                if (lower - pass > of.tolerance) return;
                const std::size_t a = rootOf(peak[p]), b = rootOf(peak[q]);
                region[std::max(a, b)] = std::min(a, b);
            });
        for (std::size_t p = 0; p < s.inside.size(); ++p) {
            bool part = s.inside[p];
            if (part)
                s.eachNeighbour(
                    p, [&](std::size_t q) { part = part && !(s.inside[q] && rootOf(peak[q]) < rootOf(peak[p])); });
            parts.push_back(part);
        }
    }
    return parts;
}

}  // namespace warplens::gpu::watershed
