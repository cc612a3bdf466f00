// SPDX-License-Identifier: Apache-2.0
// Idea: the nearest site of each column first; then each row, and each line along z, is a lower envelope of parabolas.
// Changed from brute: one axis after the other, each in time proportional to the pixels; one thread per line.
// Needs: two stacks as large as the picture; few threads: as many as there are lines.
// Block: block_width threads, no shared memory.
// Source: Meijster, Roerdink and Hesselink 2000; Felzenszwalb and Huttenlocher 2012; re-derived.
// Look at: sectors per request: columns lie side by side in a warp, rows a row apart.
#pragma once

#include "gpu/families/distance/launching.cuh"

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

/// Of every pixel the squared distance within its column: down, counting from the last site, and up again.
template <class Cost>
__global__ void columns(Sites sites, Cost* costs, int width, int height, Axis<Cost> along, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    const std::size_t first = static_cast<std::size_t>(start.layer + blockIdx.z) * height * width + x;
    std::size_t at = first;
    int since = -1;  // steps from the last site; none yet
    for (int y = 0; y < height; ++y, at += width) {
        since = sites[at] ? 0 : since < 0 ? -1 : since + 1;
        costs[at] = since < 0 ? kNone<Cost> : static_cast<Cost>(since);
    }
    since = -1;
    for (int y = height - 1; y >= 0; --y) {
        at -= width;
        const Cost above = costs[at];
        since = above == 0 ? 0 : since < 0 ? -1 : since + 1;
        const bool nearer = since >= 0 && (above == kNone<Cost> || static_cast<Cost>(since) < above);
        const Cost steps = nearer ? static_cast<Cost>(since) : above;
        costs[at] = steps == kNone<Cost> ? steps : static_cast<Cost>(along(static_cast<int>(steps)));
    }
}

/// Lines of values. Line l begins at l / inner * outer + l % inner.
struct Lines {
    std::size_t count, inner, outer, stride;
    int length;
};

/// The last place where a site at i is at least as near as one at u, behind it.
__device__ inline long long lastOf(Axis<unsigned>, int i, unsigned costI, int u, unsigned costU) {
    const long long squares = static_cast<long long>(u) * u - static_cast<long long>(i) * i;
    return (squares + costU - costI) / (2LL * (u - i));
}
__device__ inline long long lastOf(Axis<float> along, int i, float costI, int u, float costU) {
    const double squares = static_cast<double>(u) * u - static_cast<double>(i) * i;
    const double place = (squares + (static_cast<double>(costU) - costI) / along.square) / (2.0 * (u - i));
    return place < kMaxExtent ? static_cast<long long>(floor(place)) : kMaxExtent;
}

/// The least parabola everywhere: sites on a stack, each with the place from which it is the nearest. `owners` and
/// `starts` lie as the line does.
template <class Cost>
__global__ void envelopes(const Cost* costs, Sink<Cost> out, Lines lines, Axis<Cost> along, unsigned* owners,
                          unsigned* starts, std::size_t from) {
    const std::size_t line = from + static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (line >= lines.count) return;
    const std::size_t first = line / lines.inner * lines.outer + line % lines.inner;
    int top = -1;
    for (int u = 0; u < lines.length; ++u) {
        const Cost mine = costs[first + u * lines.stride];
        if (mine == kNone<Cost>) continue;
        int begin = 0;
        while (top >= 0) {
            const std::size_t last = first + top * lines.stride;
            const int site = static_cast<int>(owners[last]), since = static_cast<int>(starts[last]);
            const Cost cost = costs[first + site * lines.stride];
            if (cost + along(since - site) <= mine + along(since - u)) {
                // Rounding must not make the next one begin where this one does.
                const long long upTo = greater(lastOf(along, site, cost, u, mine), static_cast<long long>(since));
                begin = upTo < lines.length ? static_cast<int>(upTo) + 1 : lines.length;
                break;
            }
            --top;
        }
        if (begin >= lines.length) continue;  // nowhere the nearest
        ++top;
        owners[first + top * lines.stride] = static_cast<unsigned>(u);
        starts[first + top * lines.stride] = static_cast<unsigned>(begin);
    }
    for (int x = lines.length - 1; x >= 0; --x) {
        const std::size_t at = first + x * lines.stride;
        if (top < 0) {
            out.store(at, kNone<Cost>);
            continue;
        }
        const std::size_t last = first + top * lines.stride;
        const int site = static_cast<int>(owners[last]);
        out.store(at, costs[first + site * lines.stride] + along(x - site));
        if (x == static_cast<int>(starts[last])) --top;
    }
}

inline Footprint separableFootprint(const Case&, const TunableValues& t) {
    return {.blockWidth = t.at("block_width"), .blockHeight = 1, .tileWidth = t.at("block_width"), .tileHeight = 1};
}

/// Squares, and the two stacks.
inline std::size_t separableScratch(const Case& c) { return 3 * static_cast<std::size_t>(c.values()) * 4; }

template <class Cost>
void launchEnvelopes(LaunchContext& c, const Arguments& a, unsigned threads, const Cost* from, Sink<Cost> to,
                     const Lines& lines, int axis) {
    auto* const owners = static_cast<unsigned*>(c.address(a.scratch)) + a.values();
    // A launch may be stopped before the next: a tenth of a second on a large GPU at most.
    constexpr std::size_t kMostValues = std::size_t{1} << 28;
    const std::size_t most = std::max<std::size_t>(1, kMostValues / (static_cast<std::size_t>(lines.length) * threads));
    for (std::size_t first = 0; first < lines.count; first += most * threads) {
        const std::size_t blocks = (lines.count - first + threads - 1) / threads;
        launch(c, &envelopes<Cost>, dim3(static_cast<unsigned>(std::min(blocks, most))), dim3(threads), 0, from, to,
               lines, axisOf<Cost>(a, axis), owners, owners + a.values(), first);
    }
}

inline void launchSeparable(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class Cost>(Cost) {
        using Form = typename Sink<Cost>::Form;
        const auto threads = static_cast<unsigned>(t.at("block_width"));
        const auto width = static_cast<std::size_t>(a.width), height = static_cast<std::size_t>(a.height);
        const auto depth = static_cast<std::size_t>(a.depth), channels = static_cast<std::size_t>(a.channels);
        auto* const scratch = static_cast<Cost*>(c.address(a.scratch));
        // Each kernel reads what the one before has written, the last one writes the output.
        auto* const first = a.depth > 1 ? static_cast<Cost*>(c.address(a.output)) : scratch;
        const Case flat{.width = a.width, .height = 1, .depth = a.depth, .channels = a.channels};
        forTiles(flat, static_cast<int>(threads), 1, 10.0 * a.height, [&](dim3 grid, Start start) {
            launch(c, &columns<Cost>, grid, dim3(threads), 0, sitesOf(c, a), first, a.width, a.height,
                   axisOf<Cost>(a, 1), start);
        });
        const Lines rows{height * depth * channels, 1, width, 1, a.width};
        const Sink<Cost> result = resultOf<Cost>(c, a);
        launchEnvelopes<Cost>(c, a, threads, first, a.depth > 1 ? Sink<Cost>{scratch, Form::between} : result, rows, 0);
        if (a.depth == 1) return;
        const Lines deep{width * height * channels, width * height, width * height * depth, width * height, a.depth};
        launchEnvelopes<Cost>(c, a, threads, scratch, result, deep, 2);
    });
}

KernelEntry separable_entry() {
    return {.launch = &launchSeparable, .footprint = &separableFootprint, .scratchBytes = &separableScratch};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
