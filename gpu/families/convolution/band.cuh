// SPDX-License-Identifier: Apache-2.0
#pragma once

// A filter's row as a band in a matrix: eight outputs of a picture's row are the product of the values around them with
// it.

#include "gpu/families/convolution/frame.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

constexpr int kBandColumns = 128;  ///< of a warp: 16 rows of a matrix by 8 outputs each
constexpr int kBandWarps = 4;      ///< of a block at most

/// What depends on the radius: a row of the matrix begins kPad values left of its first output and has 16 kSlices.
template <int R>
struct Band {
    static constexpr int kPad = (R + 3) / 4 * 4;
    static constexpr int kSlices = (8 + kPad + R + 15) / 16;
};

/// The filter where the kernel reads it: any odd extent up to 2R + 1 in both directions.
struct Weighting {
    const float* data;
    int width, height;

    /// The weight at row dy and column dx from the centre; 0 outside.
    __device__ float at(int dy, int dx) const {
        const int y = dy + height / 2, x = dx + width / 2;
        return x < 0 || x >= width || y < 0 || y >= height ? 0.0F : __ldg(data + y * width + x);
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
