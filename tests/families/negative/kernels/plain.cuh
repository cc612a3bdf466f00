// SPDX-License-Identifier: Apache-2.0
// Idea: one thread turns one value round.
// Changed: nothing, this is where the ladder starts.
// Block: block_width x block_height threads, no shared memory.
#pragma once

#include "gpu/frame/picture_kernel.hpp"
#include "gpu/kernels/ceil_div.hpp"

#include <cstddef>

namespace warplens::gpu::negative {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void plain(const T* in, T* out, int width, int height, T top) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const std::size_t i = (static_cast<std::size_t>(blockIdx.z) * height + y) * width + x;
    out[i] = static_cast<T>(top - in[i]);
}

inline void launchPlain(LaunchContext& c, const PictureArguments& a, const TunableValues& t) {
    io::withSampleType(a.type, [&]<class T>(T) {
        const dim3 block(t.at("block_width"), t.at("block_height"));
        launch(c, &plain<T>, dim3(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), a.planes), block, 0,
               static_cast<const T*>(c.address(a.input)), static_cast<T*>(c.address(a.output)), a.width, a.height,
               static_cast<T>(a.type == io::PixelType::u8    ? 255
                              : a.type == io::PixelType::u16 ? 65535
                                                             : 1));
    });
}

inline Footprint plainFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h};
}

PictureKernel plain_entry() { return {.launch = &launchPlain, .footprint = &plainFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::negative
