// SPDX-License-Identifier: Apache-2.0
// Idea: from each pixel outward along its row, until even a site straight beside could not be nearer.
// Changed from separable: no envelope and no stack: one thread per pixel, as many steps as the distance that it finds.
// Needs: sites nearby; the worst case is a row's length a pixel. Bands of 32 rows give the columns' distances.
// Block: block_width x block_height threads, no shared memory.
// Source: distances by columns as in Saito and Toriwaki 1994; the search is bounded as theirs.
// Look at: divergent branches: lanes leave their loops one after another.
#pragma once

#include "gpu/families/distance/bands.cuh"

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

__global__ inline void column_offsets(Bands b, std::uint16_t* offsets, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = start.row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= b.width || y >= b.height) return;
    const int layer = start.layer + blockIdx.z;
    offsets[(static_cast<std::size_t>(layer) * b.height + y) * b.width + x] =
        static_cast<std::uint16_t>(b.offset(layer, y, x));
}

/// What is known before an axis is searched: distances within columns, or squares.
template <class Cost>
struct Offsets {
    const std::uint16_t* offsets;
    Axis<Cost> along;
    __device__ Cost operator[](std::size_t at) const { return costOf(offsets[at], along); }
};

/// The least of known[i] + (i - place)^2 along a line of `length` values `stride` apart, of which `at` is the one at
/// `place`.
template <class Cost, class Known>
__device__ Wide<Cost> searchedOutward(const Known& known, Axis<Cost> along, std::size_t at, int place, int length,
                                      std::size_t stride) {
    Wide<Cost> nearest = known[at];
    const int farthest = greater(place, length - 1 - place);
    for (int apart = 1; apart <= farthest; ++apart) {
        const Wide<Cost> square = along(apart);
        if (square >= nearest) break;
        if (apart <= place) nearest = lesser(nearest, known[at - apart * stride] + square);
        if (place + apart < length) nearest = lesser(nearest, known[at + apart * stride] + square);
    }
    return nearest;
}

template <class Cost>
__global__ void search_rows(Offsets<Cost> known, Sink<Cost> out, int width, int height, Axis<Cost> along, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = start.row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const std::size_t at = (static_cast<std::size_t>(start.layer + blockIdx.z) * height + y) * width + x;
    out.store(at, searchedOutward<Cost>(known, along, at, x, width, 1));
}

template <class Cost>
__global__ void search_deep(const Cost* known, Sink<Cost> out, int width, int height, int depth, Axis<Cost> along,
                            Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = start.row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int layer = start.layer + blockIdx.z;
    const std::size_t slice = static_cast<std::size_t>(width) * height;
    const std::size_t at = layer * slice + static_cast<std::size_t>(y) * width + x;
    out.store(at, searchedOutward<Cost>(known, along, at, layer % depth, depth, slice));
}

inline Footprint outwardFootprint(const Case& c, const TunableValues& t) {
    Footprint made = pixelFootprint(t);
    made.haloX = c.width;
    made.haloThroughCache = true;
    return made;
}

/// Bands, of a volume squares, and offsets.
inline std::size_t outwardScratch(const Case& c) {
    return bandBytes(c) + static_cast<std::size_t>(c.values()) * (c.depth > 1 ? 6 : 2);
}

inline void launchOutward(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const Bands b = launchBands(c, a);
    auto* const squares = static_cast<std::byte*>(c.address(a.scratch)) + bandBytes(a);
    auto* const offsets =
        reinterpret_cast<std::uint16_t*>(squares + (a.depth > 1 ? 4 * static_cast<std::size_t>(a.values()) : 0));
    const int w = t.at("block_width"), h = t.at("block_height");
    forTiles(a, w, h, 4, [&](const dim3& grid, Start start) {
        launch(c, &column_offsets, grid, blockOf(t), 0, b, offsets, start);
    });
    dispatch(a, [&]<class Cost>(Cost) {
        auto* const between = reinterpret_cast<Cost*>(squares);
        const Sink<Cost> result = resultOf<Cost>(c, a);
        const Sink<Cost> rows = a.depth > 1 ? Sink<Cost>{between, Sink<Cost>::Form::between} : result;
        forTiles(a, w, h, 2.0 * a.width, [&](const dim3& grid, Start start) {
            launch(c, &search_rows<Cost>, grid, blockOf(t), 0, Offsets<Cost>{offsets, axisOf<Cost>(a, 1)}, rows,
                   a.width, a.height, axisOf<Cost>(a, 0), start);
        });
        if (a.depth == 1) return;
        forTiles(a, w, h, 2.0 * a.depth, [&](const dim3& grid, Start start) {
            launch(c, &search_deep<Cost>, grid, blockOf(t), 0, static_cast<const Cost*>(between), result, a.width,
                   a.height, a.depth, axisOf<Cost>(a, 2), start);
        });
    });
}

KernelEntry outward_entry() {
    return {.launch = &launchOutward, .footprint = &outwardFootprint, .scratchBytes = &outwardScratch};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
