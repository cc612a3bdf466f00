// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

namespace warplens::gpu::testing {

using Wide = unsigned long long;

/// What one lane got of each function that the lanes of `mask` called together.
struct LaneWords {
    unsigned ballot, any, all, anyMatch, allMatch, allSame, wideMatch, floatMatch;
    unsigned add, low, high, both, either, odd;
    int signedAdd, signedLow, signedHigh;
};

/// What the functions of bits make of a word and of a wide one.
struct BitWords {
    int ones, first, zerosAbove, wideOnes, wideFirst, wideZerosAbove;
    unsigned reversed, bytes;
    Wide wideReversed;
};

/// What an atomic leaves and gives back, for the three words that CUDA's atomics have.
template <class T>
struct AtomicWords {
    T added, exchanged, lowest, highest, swapped, both, either, odd;
};

struct WarpWordsKernels {
    /// A warp a mask: its lanes call everything with values[lane]; lanes outside get zeros.
    void (*together)(LaunchContext& c, int masks, const unsigned* mask, const unsigned* values, LaneWords* out);
    /// A thread a word: the word itself, the wide one, and the four digits that choose bytes.
    void (*bits)(LaunchContext& c, int count, const unsigned* words, const Wide* wide, const unsigned* selectors,
                 BitWords* out);
    /// One thread: each atomic on a cell of its own that holds a, with b. After (what the cells hold), before (what the
    /// atomics returned).
    void (*ofInt)(LaunchContext& c, int a, int b, AtomicWords<int>* after, AtomicWords<int>* before);
    void (*ofUnsigned)(LaunchContext& c, unsigned a, unsigned b, AtomicWords<unsigned>* after,
                       AtomicWords<unsigned>* before);
    void (*ofWide)(LaunchContext& c, Wide a, Wide b, AtomicWords<Wide>* after, AtomicWords<Wide>* before);
    /// after and before: of subtracting, of counting up and down, of the lowest and highest of signed wide words.
    void (*others)(LaunchContext& c, unsigned a, unsigned b, unsigned* after, unsigned* before, long long* wideAfter);
    /// `blocks` of 96 threads on cells: count up to 4, subtract, or'ed and xor'ed bits of the thread, the highest
    /// number, a list's length by compare and swap.
    void (*contended)(LaunchContext& c, int blocks, unsigned* cells);
};

}  // namespace warplens::gpu::testing
