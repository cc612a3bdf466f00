// SPDX-License-Identifier: Apache-2.0
// Not as kernels do it: distances by lower envelopes (Felzenszwalb and Huttenlocher 2012), peaks in the order of
// height, regions one by one.
#include "gpu/families/watershed/reference.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warplens::gpu::watershed {
namespace {

constexpr std::int64_t kNone = std::int64_t{1} << 40;

/// A slice, or a volume that is split as a whole.
struct Block {
    std::int64_t width, height, depth;
    std::vector<bool> inside;
    std::vector<std::int64_t> square;

    template <class F>
    void eachNeighbour(std::size_t p, F f) const {
        const auto x = static_cast<std::int64_t>(p) % width, y = static_cast<std::int64_t>(p) / width % height,
                   z = static_cast<std::int64_t>(p) / width / height;
        for (std::int64_t w = std::max<std::int64_t>(0, z - 1); w <= std::min(depth - 1, z + 1); ++w)
            for (std::int64_t v = std::max<std::int64_t>(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
                for (std::int64_t u = std::max<std::int64_t>(0, x - 1); u <= std::min(width - 1, x + 1); ++u)
                    if (const auto q = static_cast<std::size_t>((w * height + v) * width + u); q != p) f(q);
    }
};

/// Of each place on a line the least sum of a height and the square of the way there, by a lower envelope.
void envelope(std::vector<std::int64_t>& line, std::int64_t weight) {
    const auto count = static_cast<std::int64_t>(line.size());
    const auto high = [&](std::int64_t x) { return line[static_cast<std::size_t>(x)]; };
    const auto value = [&](std::int64_t x, std::int64_t c) { return weight * (x - c) * (x - c) + high(c); };
    std::vector<std::int64_t> places, from;
    for (std::int64_t u = 0; u < count; ++u) {
        if (high(u) >= kNone) continue;
        while (!places.empty() && value(from.back(), places.back()) >= value(from.back(), u)) {
            places.pop_back();
            from.pop_back();
        }
        if (places.empty()) {
            places.push_back(u);
            from.push_back(0);
            continue;
        }
        const std::int64_t i = places.back();
        // The first place at which u is nearer.
        const std::int64_t over = weight * (u * u - i * i) + high(u) - high(i), twice = 2 * weight * (u - i);
        const std::int64_t first = over < 0 ? 0 : over / twice + 1;
        if (first >= count) continue;
        places.push_back(u);
        from.push_back(first);
    }
    std::vector<std::int64_t> made(line.size(), kNone);
    std::size_t k = 0;
    for (std::int64_t x = 0; x < count && !places.empty(); ++x) {
        while (k + 1 < from.size() && from[k + 1] <= x) ++k;
        made[static_cast<std::size_t>(x)] = value(x, places[k]);
    }
    line = std::move(made);
}

void measure(Block& b, const Case& of) {
    b.square.assign(b.inside.size(), 0);
    for (std::size_t p = 0; p < b.inside.size(); ++p)
        if (b.inside[p]) b.square[p] = kNone;
    const std::int64_t extents[] = {b.width, b.height, b.depth}, steps[] = {1, b.width, b.width * b.height};
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t extent = extents[axis], step = steps[axis];
        std::vector<std::int64_t> line(static_cast<std::size_t>(extent));
        for (std::int64_t p = 0; p < std::ssize(b.square); ++p) {
            if (p / step % extent != 0) continue;  // no line begins here
            for (std::int64_t i = 0; i < extent; ++i)
                line[static_cast<std::size_t>(i)] = b.square[static_cast<std::size_t>(p + i * step)];
            envelope(line, of.weight[axis]);
            for (std::int64_t i = 0; i < extent; ++i)
                b.square[static_cast<std::size_t>(p + i * step)] = line[static_cast<std::size_t>(i)];
        }
    }
}

bool higher(const Block& b, std::size_t p, std::size_t q) {
    return b.square[p] != b.square[q] ? b.square[p] > b.square[q] : p < q;
}

/// The highest of a pixel and its neighbours.
std::size_t uphillOf(const Block& b, std::size_t p) {
    std::size_t best = p;
    b.eachNeighbour(p, [&](std::size_t q) {
        if (b.inside[q] && higher(b, q, best)) best = q;
    });
    return best;
}

std::vector<std::size_t> peaksOf(const Block& b) {
    std::vector<std::size_t> order, peak(b.inside.size());
    for (std::size_t p = 0; p < b.inside.size(); ++p)
        if (b.inside[p]) order.push_back(p);
    std::ranges::sort(order, [&](std::size_t p, std::size_t q) { return higher(b, p, q); });
    for (const std::size_t p : order) {
        const std::size_t best = uphillOf(b, p);
        peak[p] = best == p ? p : peak[best];
    }
    return peak;
}

void split(const Block& b, const std::vector<std::size_t>& peak, float tolerance, std::vector<bool>& parts) {
    std::vector<std::size_t> region(b.inside.size());
    std::iota(region.begin(), region.end(), std::size_t{0});
    const auto rootOf = [&](std::size_t p) {
        while (region[p] != p) p = region[p] = region[region[p]];
        return p;
    };
    // What no pixel outside bounds has the height that kernels give it.
    const auto root = [&](std::size_t p) {
        return std::sqrt(static_cast<float>(std::min<std::int64_t>(b.square[p], 0xffffffff)));
    };
    for (std::size_t p = 0; p < b.inside.size(); ++p) {
        if (!b.inside[p]) continue;
        b.eachNeighbour(p, [&](std::size_t q) {
            if (!b.inside[q] || peak[q] == peak[p]) return;
            const float lower = std::min(root(peak[p]), root(peak[q])), pass = std::min(root(p), root(q));
            if (lower - pass > tolerance) return;
            const std::size_t one = rootOf(peak[p]), other = rootOf(peak[q]);
            region[std::max(one, other)] = std::min(one, other);
        });
    }
    for (std::size_t p = 0; p < b.inside.size(); ++p) {
        bool part = b.inside[p];
        if (part)
            b.eachNeighbour(p,
                            [&](std::size_t q) { part = part && !(b.inside[q] && rootOf(peak[q]) < rootOf(peak[p])); });
        parts.push_back(part);
    }
}

Block blockOf(const io::Grid& input, const Case& of, std::int64_t first, std::int64_t depth,
              const std::stop_token& stop) {
    const io::Shape& shape = input.shape();
    Block b{shape.width, shape.height, depth, {}, {}};
    for (std::int64_t z = first; z < first + depth; ++z) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
        for (std::int64_t y = 0; y < b.height; ++y)
            for (std::int64_t x = 0; x < b.width; ++x) {
                bool inside = true;
                for (int c = 0; c < of.colours; ++c) inside = inside && input.value(x, y, z, c) > double{of.level};
                b.inside.push_back(inside);
            }
    }
    measure(b, of);
    return b;
}

}  // namespace

std::vector<bool> partsOf(const io::Grid& input, const Case& of, const std::stop_token& stop) {
    const io::Shape& shape = input.shape();
    const std::int64_t depth = of.whole ? shape.depth : 1;
    std::vector<bool> parts;
    for (std::int64_t first = 0; first < shape.depth; first += depth) {
        const Block b = blockOf(input, of, first, depth, stop);
        split(b, peaksOf(b), of.tolerance, parts);
    }
    return parts;
}

std::vector<std::uint32_t> uphillOf(const io::Grid& slice, const Case& of) {
    const Block b = blockOf(slice, of, 0, 1, {});
    std::vector<std::uint32_t> uphill(b.inside.size());
    for (std::size_t p = 0; p < uphill.size(); ++p)
        if (b.inside[p]) uphill[p] = static_cast<std::uint32_t>(uphillOf(b, p)) + 1;
    return uphill;
}

std::vector<bool> partsOf(const io::Grid& slice, const Case& of, const std::vector<std::uint32_t>& peaks) {
    const Block b = blockOf(slice, of, 0, 1, {});
    std::vector<std::size_t> places(b.inside.size());
    for (std::size_t p = 0; p < places.size(); ++p) {
        const std::size_t place = p < peaks.size() ? peaks[p] : 0;
        places[p] = place > 0 && place <= places.size() && b.inside[place - 1] ? place - 1 : p;
    }
    std::vector<bool> parts;
    split(b, places, of.tolerance, parts);
    return parts;
}

}  // namespace warplens::gpu::watershed
