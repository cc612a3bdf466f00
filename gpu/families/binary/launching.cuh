// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung needs: the rule by which a pixel goes, of one pixel or of the 32 of a word, and masks by place.

#include "gpu/families/binary/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/relaxed.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::binary {
inline namespace WARPLENS_BUILD {

constexpr unsigned kThreads = 256;

inline unsigned* wordsAt(LaunchContext& c, std::uint64_t handle) { return static_cast<unsigned*>(c.address(handle)); }

inline dim3 blocksFor(std::size_t threads, unsigned block) {
    return dim3(static_cast<unsigned>((threads + block - 1) / block));
}

/// A mask of one word a pixel.
struct Pixels {
    const unsigned* mask;
    Case of;

    __device__ std::size_t slice() const { return static_cast<std::size_t>(blockIdx.z) * of.height * of.width; }
    __device__ unsigned at(int x, int y) const {
        if (x < 0 || y < 0 || x >= of.width || y >= of.height) return 0;
        return mask[slice() + static_cast<std::size_t>(y) * of.width + x];
    }
};

/// Neighbours clockwise from the north, as Guo and Hall number them, with a bit a pixel.
struct Neighbours {
    unsigned p2, p3, p4, p5, p6, p7, p8, p9;
};

__device__ inline Neighbours neighboursOf(const Pixels& m, int x, int y) {
    return {m.at(x, y - 1), m.at(x + 1, y - 1), m.at(x + 1, y), m.at(x + 1, y + 1),
            m.at(x, y + 1), m.at(x - 1, y + 1), m.at(x - 1, y), m.at(x - 1, y - 1)};
}

__device__ inline unsigned twoOf(unsigned a, unsigned b, unsigned c, unsigned d) {
    return (a & b) | (c & d) | ((a | b) & (c | d));
}

/// Bits that go in the first or second half of a pass: one way around them alone leads from background to mask, they
/// are no end, and they lie on the half's side.
__device__ inline unsigned gone(const Neighbours& n, bool second) {
    const unsigned c1 = ~n.p2 & (n.p3 | n.p4), c2 = ~n.p4 & (n.p5 | n.p6), c3 = ~n.p6 & (n.p7 | n.p8),
                   c4 = ~n.p8 & (n.p9 | n.p2);
    const unsigned one = ((c1 ^ c2) & ~(c3 | c4)) | ((c3 ^ c4) & ~(c1 | c2));
    const unsigned a = n.p9 | n.p2, b = n.p3 | n.p4, c = n.p5 | n.p6, d = n.p7 | n.p8;
    const unsigned e = n.p2 | n.p3, f = n.p4 | n.p5, g = n.p6 | n.p7, h = n.p8 | n.p9;
    const unsigned all = (a & b & c & d) & (e & f & g & h);
    const unsigned kept = second ? (n.p6 | n.p7 | ~n.p9) & n.p8 : (n.p2 | n.p3 | ~n.p5) & n.p4;
    return one & twoOf(a, b, c, d) & twoOf(e, f, g, h) & ~all & ~kept;
}

/// The background that an edge or a neighbour reaches, a pixel further; in any order, as nothing is taken back.
template <class Word>
__global__ void reach(Pixels mask, Word* reached, Word* changes) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const Case& of = mask.of;
    if (x >= of.width || y >= of.height || mask.at(x, y) != 0) return;
    Word* const me = reached + mask.slice() + static_cast<std::size_t>(y) * of.width + x;
    if (relaxedLoad(me) != 0) return;
    const bool beside = (x > 0 && relaxedLoad(me - 1) != 0) || (x + 1 < of.width && relaxedLoad(me + 1) != 0) ||
                        (y > 0 && relaxedLoad(me - of.width) != 0) ||
                        (y + 1 < of.height && relaxedLoad(me + of.width) != 0);
    if (!beside) return;
    relaxedStore(me, Word{1});
    relaxedStore(changes, Word{1});
}

inline dim3 tileOf(const TunableValues& t) {
    return dim3(static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height")));
}
inline dim3 tilesOf(const Case& of, const dim3& block) {
    return dim3(ceilDiv(of.width, block.x), ceilDiv(of.height, block.y), static_cast<unsigned>(of.depth));
}
inline Footprint tileFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h, .haloX = 1, .haloY = 1};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::binary
