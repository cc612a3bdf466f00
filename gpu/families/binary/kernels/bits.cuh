// SPDX-License-Identifier: Apache-2.0
// Idea: a mask has one bit a pixel, and a thread works on the 32 of a word with the operations that one pixel takes.
// Changed from naive: a 32nd of the threads, loads and operations; neighbours left and right are shifts of the word.
// Needs: rows of whole words; background that is reached goes on through a word in five steps.
// Block: block_width threads, no shared memory.
// Source: bit-parallel morphology as of Bloomberg's Leptonica; the carry through a word is Kogge and Stone's, 1973.
// Look at: sectors per pass, a 32nd of naive's.
#pragma once

#include "gpu/families/binary/launching.cuh"

namespace warplens::gpu::binary {
inline namespace WARPLENS_BUILD {

/// A mask of one bit a pixel.
struct Bits {
    const unsigned* mask;
    Case of;
    int words;  ///< a row

    /// Word w of a row, or nothing beyond the picture; rows of all slices are one behind the other.
    __device__ unsigned at(int w, std::size_t row, int y, int dy) const {
        if (w < 0 || w >= words || y + dy < 0 || y + dy >= of.height) return 0;
        return relaxedLoad(mask + (row + dy) * words + w);
    }
    /// Of three words of a row: each pixel's left and right neighbour.
    __device__ static unsigned leftOf(unsigned before, unsigned word) { return word << 1 | before >> 31; }
    __device__ static unsigned rightOf(unsigned word, unsigned after) { return word >> 1 | after << 31; }
};

template <class Word>
__global__ void bits(Bits from, Word* to, bool second, std::size_t count, Word* changes) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const Word word = from.mask[i];
    Word left = word;
    if (word != 0) {
        const std::size_t row = i / from.words;
        const int w = static_cast<int>(i % from.words), y = static_cast<int>(row % from.of.height);
        unsigned of[3][3];
#pragma unroll
        for (int j = 0; j < 3; ++j)
#pragma unroll
            for (int k = 0; k < 3; ++k) of[j][k] = from.at(w + k - 1, row, y, j - 1);
        const auto west = [&](int j) { return Bits::leftOf(of[j][0], of[j][1]); };
        const auto east = [&](int j) { return Bits::rightOf(of[j][1], of[j][2]); };
        left &= ~gone({of[0][1], east(0), east(1), east(2), of[2][1], west(2), west(1), west(0)}, second);
        if (left != word) relaxedStore(changes, Word{1});
    }
    to[i] = left;
}

/// As reach(), and on through the word.
template <class Word>
__global__ void reach_bits(Bits mask, Word* reached, std::size_t count, Word* changes) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const std::size_t row = i / mask.words;
    const int w = static_cast<int>(i % mask.words), y = static_cast<int>(row % mask.of.height);
    const int beyond = 32 * (w + 1) - mask.of.width;
    const Word open = ~mask.mask[i] & (beyond > 0 ? 0xffffffffU >> beyond : 0xffffffffU);
    const Bits so{reached, mask.of, mask.words};
    const Word before = so.at(w, row, y, 0);
    if ((open & ~before) == 0) return;
    Word now = before | (open & (so.at(w, row, y, -1) | so.at(w, row, y, 1) | so.at(w - 1, row, y, 0) >> 31 |
                                 so.at(w + 1, row, y, 0) << 31));
    if (now == 0) return;
    Word up = open, down = open;
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        now |= (up & now << k) | (down & now >> k);
        up &= up << k;
        down &= down >> k;
    }
    if (now == before) return;
    relaxedStore(reached + i, now);
    relaxedStore(changes, Word{1});
}

inline void launchBits(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const auto block = static_cast<unsigned>(t.at("block_width"));
    const int words = ceilDiv(a.width, 32);
    const dim3 grid = blocksFor(a.words(), block);
    unsigned *const mask = wordsAt(c, a.mask), *const other = wordsAt(c, a.other),
                    *const changes = wordsAt(c, a.changes);
    if (!a.thins)
        return launch(c, &reach_bits<unsigned>, grid, dim3(block), 0, Bits{mask, a, words}, other, a.words(), changes);
    launch(c, &bits<unsigned>, grid, dim3(block), 0, Bits{mask, a, words}, other, false, a.words(), changes);
    launch(c, &bits<unsigned>, grid, dim3(block), 0, Bits{other, a, words}, mask, true, a.words(), changes);
}

inline Footprint bitsFootprint(const TunableValues& t) {
    const int threads = t.at("block_width");
    return {.blockWidth = threads, .blockHeight = 1, .tileWidth = 32 * threads, .tileHeight = 1, .order = Order::rows};
}

KernelEntry bits_entry() { return {.launch = &launchBits, .footprint = &bitsFootprint, .bits = true}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::binary
