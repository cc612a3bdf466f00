// SPDX-License-Identifier: Apache-2.0
#pragma once

// Between interleaved pixels and planes, 16 bytes of each plane per thread: a warp's pixels go through shared memory,
// so that accesses are whole. What uploads and downloads do, and a rung of the family that compares ways to do it.

#include "gpu/kernels/packs.cuh"
#include "gpu/kernels/shared.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

/// Interleaved pixels and planes.
template <class T>
struct Packed {
    const T* in;
    T* out;
    std::int64_t pixels;
    int channels;
    bool toPlanes;
};

/// Where pack i of a warp's pixels lies in its shared memory, whether lanes go one pack on or a pixel's packs on.
template <int channels>
__device__ int slotOf(int i) {
    return channels == 4 ? i ^ (i >> 3 & 3) : i;
}

/// The 32 x channels packs of a warp.
template <int channels>
__device__ char* warpSlots() {
    return reinterpret_cast<char*>(dynamicShared) + threadIdx.x / 32 * (32 * channels * 16);
}

/// `shift`: 1 where planes start between two packs; then lane 0 only hands its pack on to lane 1.
template <class T, int channels>
__global__ void planes_of_pixels(Packed<T> p, int shift) {
    constexpr int kValues = Pack<T>::kValues;
    const int lane = threadIdx.x % 32;
    const std::int64_t warp = std::int64_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32;
    const std::int64_t first = warp * (32 - shift) - shift;  // its first lane's pack of a plane
    char* const slots = warpSlots<channels>();
#pragma unroll
    for (int k = 0; k < channels; ++k) {
        const std::int64_t at = (first * channels + k * 32 + lane) * kValues;
        const T* const from = p.in + at;
        const std::int64_t left = p.pixels * channels - at;
        if (at < 0 || left <= 0) continue;
        const Pack<T> pack = left >= kValues ? loadPack<T>(from) : loadSome(from, [&](int i) { return i < left; });
        storePack(slots + 16 * slotOf<channels>(k * 32 + lane), pack);
    }
    __syncwarp();
    const std::int64_t pixel = (first + lane) * kValues;
    Pack<T> pixels[channels] = {};
    // A lane's packs that no pixel reaches into were not staged.
#pragma unroll
    for (int k = 0; k < channels; ++k)
        if (pixel >= 0 && pixel * channels + k * kValues < p.pixels * channels)
            pixels[k] = loadPack<T>(slots + 16 * slotOf<channels>(lane * channels + k));
#pragma unroll
    for (int c = 0; c < channels; ++c) {
        Pack<T> plane;
#pragma unroll
        for (int w = 0; w < 4; ++w)
            plane.word[w] = gathered(pixels, [&](int i) { return (w * (kValues / 4) + i) * channels + c; });
        T* const out = p.out + c * p.pixels;
        std::int64_t to = pixel;
        if (shift != 0) {
            Pack<T> before;
            for (int w = 0; w < 4; ++w) before.word[w] = __shfl_up_sync(0xffffffffU, plane.word[w], 1);
            const unsigned beyond = beyondPack(out + pixel);
            if (beyond != 0) plane = joined(before, plane, 16 - beyond);
            to -= beyond / sizeof(T);
            if (lane == 0) continue;
        }
        if (to >= 0 && to + kValues <= p.pixels)
            storePack(out + to, plane);
        else
            storeSome(out + to, plane, [&](int i) { return to + i >= 0 && to + i < p.pixels; });
    }
}

template <class T, int channels>
__global__ void pixels_of_planes(Packed<T> p) {
    constexpr int kValues = Pack<T>::kValues;
    const int lane = threadIdx.x % 32;
    const std::int64_t first = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x - lane) * kValues;
    const std::int64_t pixel = first + lane * kValues;
    char* const slots = warpSlots<channels>();
    Pack<T> planes[channels] = {};
#pragma unroll
    for (int c = 0; c < channels; ++c) {
        const T* const in = p.in + c * p.pixels + pixel;
        if (pixel + kValues <= p.pixels)
            planes[c] = loadAnywhere(in, p.in + channels * p.pixels);
        else
            planes[c] = loadSome(in, [&](int i) { return pixel + i < p.pixels; });
    }
#pragma unroll
    for (int k = 0; k < channels; ++k) {
        Pack<T> pack;
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            pack.word[w] = gathered(planes, [&](int i) {
                const int value = k * kValues + w * (kValues / 4) + i;
                return value % channels * kValues + value / channels;
            });
        }
        storePack(slots + 16 * slotOf<channels>(lane * channels + k), pack);
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < channels; ++k) {
        const std::int64_t at = first * channels + (k * 32 + lane) * kValues;
        const std::int64_t left = p.pixels * channels - at;
        const Pack<T> pack = loadPack<T>(slots + 16 * slotOf<channels>(k * 32 + lane));
        if (left >= kValues)
            storePack(p.out + at, pack);
        else
            storeSome(p.out + at, pack, [&](int i) { return i < left; });
    }
}

/// Dynamic shared memory of so many threads.
inline std::size_t packedBytes(int threads, int channels) { return static_cast<std::size_t>(threads * channels) * 16; }

/// By blocks of whole warps; both sides begin at a multiple of 16 bytes.
template <int channels, class T>
void launchPackedOf(LaunchContext& c, const Packed<T>& p, int threads) {
    const int shift = p.pixels % Pack<T>::kValues != 0 && p.toPlanes ? 1 : 0;
    const std::int64_t packs = (p.pixels + Pack<T>::kValues - 1) / Pack<T>::kValues + shift;
    const std::int64_t aBlock = threads / 32 * (32 - shift);
    const dim3 grid(static_cast<unsigned>((packs + aBlock - 1) / aBlock)), block(static_cast<unsigned>(threads));
    const std::size_t bytes = packedBytes(threads, channels);
    if (p.toPlanes)
        launch(c, &planes_of_pixels<T, channels>, grid, block, bytes, p, shift);
    else
        launch(c, &pixels_of_planes<T, channels>, grid, block, bytes, p);
}

/// The same of three or four channels.
template <class T>
void launchPacked(LaunchContext& c, const Packed<T>& p, int threads) {
    p.channels == 3 ? launchPackedOf<3>(c, p, threads) : launchPackedOf<4>(c, p, threads);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
