// SPDX-License-Identifier: Apache-2.0
// Idea: a thread takes 16 bytes of each plane; its warp's pixels go through shared memory so that accesses are whole.
// Changed from pixel_per_thread: channels part in registers by the byte; memory sees 16 bytes per thread side by side.
// Needs: three or four channels. Where planes start between two packs, a lane's stores begin in its neighbour's pack.
// Block: block_width threads, 16 bytes of shared memory a thread and channel; its warps do not wait for each other.
// Source: the exchange within a warp is CUB's WarpExchange, re-derived; joining by the byte is our own.
// Look at: 16 sectors per request on both sides, a wavefront for 128 bytes of shared memory, no barrier of the block.
#pragma once

#include "gpu/families/layout/launching.cuh"
#include "gpu/families/layout/packs.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

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

inline std::size_t stagedPacksBytes(const Case& of, const TunableValues& t) {
    return static_cast<std::size_t>(t.at("block_width") * of.packing.channels) * 16;
}

template <int channels>
void launchStagedPacksOf(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchPacking(c, a, [&]<class T>(const Packed<T>& p) {
        const int width = t.at("block_width");
        const dim3 block(static_cast<unsigned>(width));
        const std::size_t bytes = stagedPacksBytes(a, t);
        const int shift = p.pixels % Pack<T>::kValues != 0 && p.toPlanes ? 1 : 0;
        const std::int64_t packs = (p.pixels + Pack<T>::kValues - 1) / Pack<T>::kValues + shift;
        const std::int64_t aBlock = width / 32 * (32 - shift);
        const dim3 grid(static_cast<unsigned>((packs + aBlock - 1) / aBlock));
        if (p.toPlanes)
            launch(c, &planes_of_pixels<T, channels>, grid, block, bytes, p, shift);
        else
            launch(c, &pixels_of_planes<T, channels>, grid, block, bytes, p);
    });
}

inline void launchStagedPacks(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    a.packing.channels == 3 ? launchStagedPacksOf<3>(c, a, t) : launchStagedPacksOf<4>(c, a, t);
}

inline Footprint stagedPacksFootprint(const Case& of, const TunableValues& t) {
    const int w = t.at("block_width");
    return {.blockWidth = w,
            .blockHeight = 1,
            .tileWidth = w * of.valuesAPack(),
            .tileHeight = 1,
            .staged = true,
            .order = Order::rows};
}

KernelEntry staged_packs_entry() {
    return {.launch = &launchStagedPacks,
            .footprint = &stagedPacksFootprint,
            .sharedBytes = &stagedPacksBytes,
            .refusal = &manyPacksOnly};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
