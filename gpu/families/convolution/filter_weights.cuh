// SPDX-License-Identifier: Apache-2.0
#pragma once

// The weights as the kernels that unroll their filter read them: from constant memory, or as constants of the code
// itself where a compiler on the spot got them. Zeros vanish there, and what they would have made of values that are
// not finite is made afterwards.

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/row_window.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// A weight by its place in the filter, which is known once the loops around are unrolled. In an instance that is
/// compiled for these very weights it is a constant of the code, and the places of zeros are known as well. Static, as
/// each unit reads its own copy.
#ifdef WARPLENS_FILTER
constexpr bool kWeightsKnown = true;
constexpr float kFilter[] = {WARPLENS_FILTER};
static __device__ inline float filterWeight(int place) { return kFilter[place]; }
static __device__ constexpr bool vanishes(int place) { return kFilter[place] == 0; }
/// How many do not vanish.
__host__ __device__ constexpr int constantTaps(int) {
    int taps = 0;
    for (const float weight : kFilter) taps += weight != 0;
    return taps;
}
#else
constexpr bool kWeightsKnown = false;
static __device__ inline float filterWeight(int place) { return constantFilter[place]; }
static __device__ constexpr bool vanishes(int) { return false; }
__host__ __device__ constexpr int constantTaps(int places) { return places; }
#endif

/// Whether zeros that vanish show: what is not finite times 0 is NaN by the definition. Integers are finite.
template <class T>
constexpr bool kMindsZeros = kWeightsKnown && sizeof(T) == sizeof(float);

/// 0 while all values that were added are finite, else NaN; to be begun with 0.
static __device__ inline float addFinite(float all, float value) { return fmaf(value, 0.0F, all); }

/// Writes `columns` outputs of the rows from `first` to before `last`, from x on, whose windows lie inside the picture,
/// with every weight in its turn, the zeros as well: for where a value is not finite. RX, RY: the filter's radius
/// across and down.
template <int RX, int RY, class T, bool Padded>
__device__ void storeWithZeros(const Plane<T, Padded>& in, const TargetOf<Padded>& out, int x, int first, int last,
                               int columns) {
    constexpr bool kFirst = offsetFirst<T>(2 * RX + 1, 2 * RY + 1);
#pragma unroll 1
    for (int at = 0; at < columns * (last - first); ++at) {
        const int column = x + at % columns, row = first + at / columns;
        float sum = kFirst ? out.offset : 0.0F;
#pragma unroll 1
        for (int j = 0; j <= 2 * RY; ++j) {
#pragma unroll 1
            for (int i = 0; i <= 2 * RX; ++i)
                sum = fmaf(constantFilter[j * (2 * RX + 1) + i], in(column - RX + i, row - RY + j), sum);
        }
        out.ofSums(kFirst).store(blockIdx.z, column, row, sum);
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
