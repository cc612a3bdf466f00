// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu {

/// How blocks follow one another over the picture.
enum class Order {
    tiles,  ///< a grid of tiles
    rows    ///< along the rows, as values lie in memory
};

/// What one block touches, in pixels of the output plane; drawn as overlays.
struct Footprint {
    int blockWidth = 0, blockHeight = 0;                                   ///< threads
    int tileWidth = 0, tileHeight = 0;                                     ///< outputs a block writes
    int stagedLeft = 0, stagedTop = 0, stagedRight = 0, stagedBottom = 0;  ///< staged in shared memory beyond the tile
    bool staged = false;                                                   ///< whether anything is staged at all
    int haloX = 0, haloY = 0;                                              ///< what an output reads to each side
    bool haloThroughCache = false;  ///< whether the halo is read from global memory, not staged
    Order order = Order::tiles;
    int stagedDepth = 0;  ///< of a matrix product: columns of its left, rows of its right factor staged at a time
};

}  // namespace warplens::gpu
