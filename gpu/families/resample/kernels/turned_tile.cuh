// SPDX-License-Identifier: Apache-2.0
// Idea: a block of a rotated picture is made of a slanted rectangle; it stages the upright one around it.
// Changed from turned: rows are loaded in order, and the border is dealt with once per staged pixel.
// Needs: a rotation; shared memory for the rectangle, twice the tile at 45 degrees.
// Block: block_width x block_height threads; (slanted extents + taps) floats.
// Source: our own.
// Look at: sectors per load, which the angle no longer decides.
#pragma once

#include "gpu/families/resample/turning.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

/// Extents of what is staged for a tile.
struct Staged {
    int width, height;
};
inline Staged stagedOf(const Case& of, const Footprint& tile) {
    const std::int64_t right = tile.tileWidth - 1, down = tile.tileHeight - 1;
    const std::int64_t cosine = std::abs(of.turn.cosine), sine = std::abs(of.turn.sine);
    return {static_cast<int>((cosine * right + sine * down) >> 31) + 2 + of.x.taps,
            static_cast<int>((cosine * down + sine * right) >> 31) + 2 + of.y.taps};
}

template <class T>
__global__ void turned_tile(Pictures<T> p, Staged staged) {
    const Case& of = p.of;
    const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y;
    // Of the tile's corners the one that lies furthest to the left, and the one that lies furthest up.
    const std::int64_t right = 2 * static_cast<std::int64_t>(blockDim.x - 1),
                       down = 2 * static_cast<std::int64_t>(blockDim.y - 1);
    const auto lowest = [](std::int64_t from, std::int64_t a, std::int64_t b) {
        return from + (a < 0 ? a : 0) + (b < 0 ? b : 0);
    };
    Turned corner(of, left, top);
    corner.x = lowest(corner.x, of.turn.cosine * right, of.turn.sine * down);
    corner.y = lowest(corner.y, of.turn.cosine * down, -of.turn.sine * right);
    const Places<float> first(of, corner);
    for (int row = threadIdx.y; row < staged.height; row += blockDim.y)
        for (int column = threadIdx.x; column < staged.width; column += blockDim.x)
            dynamicShared[row * staged.width + column] =
                p.at(blockIdx.z, first.across.first + column, first.down.first + row);
    __syncthreads();
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= of.x.out || y >= of.y.out) return;
    const Places<float> places(of, Turned(of, x, y));
    const AxisWeights across(of, of.x, places.across), below(of, of.y, places.down);
    p.store(blockIdx.z, x, y, meanOf(across, below, [&](int i, int j) {
                return dynamicShared[(j - first.down.first) * staged.width + i - first.across.first];
            }));
}

inline Footprint turnedTileFootprint(const TunableValues& t) {
    Footprint tile = blockFootprint(t);
    tile.staged = true;
    return tile;
}
inline std::size_t turnedTileShared(const Case& of, const TunableValues& t) {
    const Staged staged = stagedOf(of, turnedTileFootprint(t));
    return sizeof(float) * static_cast<std::size_t>(staged.width) * static_cast<std::size_t>(staged.height);
}

inline void launchTurnedTile(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Pictures<T>& p) {
        launch(c, &turned_tile<T>, gridOf(a.x.out, a.y.out, blockOf(t), a.planes), blockOf(t), turnedTileShared(a, t),
               p, stagedOf(a, turnedTileFootprint(t)));
    });
}

KernelEntry turned_tile_entry() {
    return {.launch = &launchTurnedTile,
            .footprint = &turnedTileFootprint,
            .sharedBytes = &turnedTileShared,
            .refusal = &refusalToResize};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
