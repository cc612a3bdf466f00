// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the loops of every row by OpenACC call for a cell.

#include <cstdint>

namespace warplens::gpu::stencil {

/// Whether a cell keeps its value: on an outermost face of an axis in use, or in a box that is held.
#pragma acc routine seq
inline bool keeps(int x, int y, int z, int width, int height, int depth, int axes, int boxes, const int* box) {
    if (x <= 0 || x >= width - 1) return true;
    if (axes > 1 && (y <= 0 || y >= height - 1)) return true;
    if (axes > 2 && (z <= 0 || z >= depth - 1)) return true;
    for (int i = 0; i < boxes; ++i, box += 6)
        if (x >= box[0] && x <= box[3] && y >= box[1] && y <= box[4] && z >= box[2] && z <= box[5]) return true;
    return false;
}

/// A cell's value after one step: `i` is its place, offsets lead to those around it.
#pragma acc routine seq
inline float stepped(const float* now, std::int64_t i, int taps, const float* weights, const std::int64_t* offsets) {
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum = __builtin_fmaf(weights[k], now[i + offsets[k]], sum);
    return sum;
}

/// Floats that are not negative order as their bits do, and a NaN lies above infinity.
#pragma acc routine seq
inline unsigned bitsOfChange(float before, float now) {
    union {
        float value;
        unsigned bits;
    } change;
    change.value = __builtin_fabsf(now - before);
    return change.bits;
}

}  // namespace warplens::gpu::stencil
