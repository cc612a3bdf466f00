// SPDX-License-Identifier: Apache-2.0
// What comes before and after the passes of each rung: the mask of a picture, and the picture of a mask.
#pragma once

#include "gpu/families/binary/launching.cuh"

namespace warplens::gpu::binary {
inline namespace WARPLENS_BUILD {

template <class T>
struct Above {
    const T* in;
    Case of;
    std::size_t pixels;

    /// 1 where pixel p is inside.
    __device__ unsigned at(std::size_t p) const {
        bool inside = true;
        for (int c = 0; c < of.colours; ++c) inside = inside && static_cast<float>(in[c * pixels + p]) > of.level;
        return inside ? 1 : 0;
    }
    __device__ bool edge(std::size_t p) const {
        const int x = static_cast<int>(p % of.width), y = static_cast<int>(p / of.width % of.height);
        return x == 0 || y == 0 || x + 1 == of.width || y + 1 == of.height;
    }
};

/// A pixel of `other` is what the edge reaches at once; a skeleton does not look at it.
template <class T>
__global__ void mask_pixels(Above<T> above, unsigned* mask, unsigned* other) {
    const std::size_t p = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (p >= above.pixels) return;
    mask[p] = above.at(p);
    other[p] = mask[p] == 0 && above.edge(p) ? 1 : 0;
}

/// Likewise, a thread a word.
template <class T>
__global__ void mask_bits(Above<T> above, unsigned* mask, unsigned* other, int words, std::size_t count) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const std::size_t first = i / words * above.of.width;
    const int x = static_cast<int>(i % words) * 32;
    unsigned inside = 0, reached = 0;
    for (int k = 0; k < 32 && x + k < above.of.width; ++k) {
        const std::size_t p = first + x + k;
        const unsigned bit = above.at(p);
        inside |= bit << k;
        if (bit == 0 && above.edge(p)) reached |= 1U << k;
    }
    mask[i] = inside;
    other[i] = reached;
}

/// Full range where the result's mask is; `words` 0: of pixels.
template <class T>
__global__ void picture(const unsigned* mask, T* out, Case of, int words, std::size_t pixels) {
    const std::size_t p = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    const int x = static_cast<int>(p % of.width);
    const unsigned found = words == 0 ? mask[p] : mask[p / of.width * words + x / 32] >> (x % 32) & 1;
    out[p] = (found != 0) == of.thins ? static_cast<T>(of.full) : T(0);
}

inline void beginSteps(LaunchContext& c, const Arguments& a, bool bits) {
    unsigned *const mask = wordsAt(c, a.mask), *const other = wordsAt(c, a.other);
    io::withSampleType(a.type, [&]<class T>(T) {
        const Above<T> above{static_cast<const T*>(c.address(a.input)), a, a.pixels()};
        if (bits)
            launch(c, &mask_bits<T>, blocksFor(a.words(), kThreads), dim3(kThreads), 0, above, mask, other,
                   ceilDiv(a.width, 32), a.words());
        else
            launch(c, &mask_pixels<T>, blocksFor(a.pixels(), kThreads), dim3(kThreads), 0, above, mask, other);
    });
}

inline void finishSteps(LaunchContext& c, const Arguments& a, bool bits) {
    const Case& of = a;
    io::withSampleType(a.type, [&]<class T>(T) {
        launch(c, &picture<T>, blocksFor(a.pixels(), kThreads), dim3(kThreads), 0,
               static_cast<const unsigned*>(wordsAt(c, a.thins ? a.mask : a.other)),
               static_cast<T*>(c.address(a.output)), of, bits ? ceilDiv(a.width, 32) : 0, a.pixels());
    });
}

StepsEntry steps_entry() { return {.begin = &beginSteps, .finish = &finishSteps}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::binary
