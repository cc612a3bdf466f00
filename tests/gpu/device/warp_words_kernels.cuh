// SPDX-License-Identifier: Apache-2.0
// Every function of warps, bits and atomics, called once.
#pragma once

#include "gpu/kernels/relaxed.cuh"
#include "tests/gpu/device/warp_words_kernels.hpp"

namespace warplens::gpu::testing {
inline namespace WARPLENS_BUILD {

__global__ void together(const unsigned* masks, const unsigned* values, LaneWords* out) {
    const unsigned mask = masks[blockIdx.x], value = values[threadIdx.x];
    LaneWords& own = out[blockIdx.x * 32 + threadIdx.x];
    if ((mask >> threadIdx.x & 1U) == 0) return;
    own.ballot = __ballot_sync(mask, value % 3 == 0);
    own.any = __any_sync(mask, value % 3 == 0);
    own.all = __all_sync(mask, value % 3 == 0);
    own.anyMatch = __match_any_sync(mask, value % 5);
    int same = 0;
    own.allMatch = __match_all_sync(mask, value % 2, &same);
    own.allSame = same;
    own.wideMatch = __match_any_sync(mask, Wide{value % 5} << 40);
    own.floatMatch = __match_any_sync(mask, static_cast<float>(value % 5));
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    own.add = __reduce_add_sync(mask, value);
    own.low = __reduce_min_sync(mask, value);
    own.high = __reduce_max_sync(mask, value);
    own.both = __reduce_and_sync(mask, value);
    own.either = __reduce_or_sync(mask, value);
    own.odd = __reduce_xor_sync(mask, value);
    own.signedAdd = __reduce_add_sync(mask, static_cast<int>(value));
    own.signedLow = __reduce_min_sync(mask, static_cast<int>(value));
    own.signedHigh = __reduce_max_sync(mask, static_cast<int>(value));
#endif
}

__global__ void bits(int count, const unsigned* words, const Wide* wide, const unsigned* selectors, BitWords* out) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    const unsigned word = words[i];
    BitWords& own = out[i];
    own.ones = __popc(word);
    own.first = __ffs(static_cast<int>(word));
    own.zerosAbove = __clz(static_cast<int>(word));
    own.reversed = __brev(word);
    own.wideOnes = __popcll(wide[i]);
    own.wideFirst = __ffsll(static_cast<long long>(wide[i]));
    own.wideZerosAbove = __clzll(static_cast<long long>(wide[i]));
    own.wideReversed = __brevll(wide[i]);
    own.bytes = __byte_perm(word, static_cast<unsigned>(wide[i]), selectors[i]);
}

template <class T>
__global__ void atomics(T a, T b, AtomicWords<T>* after, AtomicWords<T>* before) {
    *after = {a, a, a, a, a, a, a, a};
    before->added = atomicAdd(&after->added, b);
    before->exchanged = atomicExch(&after->exchanged, b);
    before->lowest = atomicMin(&after->lowest, b);
    before->highest = atomicMax(&after->highest, b);
    before->swapped = atomicCAS(&after->swapped, b, T{77});  // swaps where a is b
    before->both = atomicAnd(&after->both, b);
    before->either = atomicOr(&after->either, b);
    before->odd = atomicXor(&after->odd, b);
}

__global__ void others(unsigned a, unsigned b, unsigned* after, unsigned* before, long long* wideAfter) {
    for (int i = 0; i < 3; ++i) after[i] = a;
    before[0] = atomicSub(&after[0], b);
    before[1] = atomicInc(&after[1], b);
    before[2] = atomicDec(&after[2], b);
    int* const cell = reinterpret_cast<int*>(&after[3]);
    *cell = static_cast<int>(a);
    before[3] = static_cast<unsigned>(atomicSub(cell, static_cast<int>(b)));
    float* const real = reinterpret_cast<float*>(&after[4]);
    *real = 1.5F;
    before[4] = static_cast<unsigned>(2 * atomicExch(real, 2.5F));
    // As wide as signed words are, from small ones of both signs.
    const long long left = static_cast<long long>(static_cast<int>(a)) * 0x40000001LL;
    const long long right = static_cast<long long>(static_cast<int>(b)) * 0x40000001LL;
    wideAfter[0] = wideAfter[1] = left;
    atomicMin(&wideAfter[0], right);
    atomicMax(&wideAfter[1], right);
}

__global__ void contended(unsigned* cells) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    atomicInc(&cells[0], 4U);
    atomicSub(&cells[1], 2U);
    atomicOr(&cells[2], 1U << thread % 32);
    atomicXor(&cells[3], 1U << thread % 32);
    atomicMax(&cells[4], thread * 2654435761U);
    unsigned seen = relaxedLoad(&cells[5]), expected = 0;
    do {
        expected = seen;
        seen = atomicCAS(&cells[5], expected, expected + 3);
    } while (seen != expected);
    atomicDec(&cells[6], 6U);
    atomicAnd(&cells[7], ~(1U << thread % 31));
    atomicMin(&cells[8], thread * 2654435761U);
}

inline void startTogether(LaunchContext& c, int masks, const unsigned* mask, const unsigned* values, LaneWords* out) {
    launch(c, &together, dim3(static_cast<unsigned>(masks)), dim3(32), 0, mask, values, out);
}

inline void startBits(LaunchContext& c, int count, const unsigned* words, const Wide* wide, const unsigned* selectors,
                      BitWords* out) {
    launch(c, &bits, dim3(static_cast<unsigned>(count + 127) / 128), dim3(128), 0, count, words, wide, selectors, out);
}

template <class T>
void startAtomics(LaunchContext& c, T a, T b, AtomicWords<T>* after, AtomicWords<T>* before) {
    launch(c, &atomics<T>, dim3(1), dim3(1), 0, a, b, after, before);
}

inline void startOthers(LaunchContext& c, unsigned a, unsigned b, unsigned* after, unsigned* before,
                        long long* wideAfter) {
    launch(c, &others, dim3(1), dim3(1), 0, a, b, after, before, wideAfter);
}

inline void startContended(LaunchContext& c, int blocks, unsigned* cells) {
    launch(c, &contended, dim3(static_cast<unsigned>(blocks)), dim3(96), 0, cells);
}

WarpWordsKernels warpWordsKernels() {
    return {.together = &startTogether,
            .bits = &startBits,
            .ofInt = &startAtomics<int>,
            .ofUnsigned = &startAtomics<unsigned>,
            .ofWide = &startAtomics<Wide>,
            .others = &startOthers,
            .contended = &startContended};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::testing
