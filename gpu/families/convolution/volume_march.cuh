// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the three-dimensional kernels share whose blocks march through the slices of a volume: a slice's values around
// the block's tile are on their way in registers while the slice before it is worked on, and then in shared memory.

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/kernels/shared.cuh"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

constexpr int kMarchThreads = 256, kMarchColumns = 64;

/// A volume whose stored type is known at run time: what is staged as floats needs no instance a type.
struct AnyVolume {
    const void* data;
    io::PixelType type;
    int width, height, depth;
    Border border;

    template <class T>
    explicit AnyVolume(const Volume<T>& v)
        : data(v.data), type(io::typeOf<T>()), width(v.width), height(v.height), depth(v.depth), border(v.border) {}
};

/// The plane of values around a tile of 64 columns and Rows rows, R more on every side and columns up to a whole quad.
/// Places are worked out once: the border is asked about no more on the march, and rows of any width are the same.
template <int R, int Rows>
struct StagedPlane {
    static constexpr int kPitch = kMarchColumns + (2 * R + 3) / 4 * 4, kLines = Rows + 2 * R;
    static constexpr int kValues = kPitch * kLines, kEach = (kValues + kMarchThreads - 1) / kMarchThreads;
    int place[kEach];      ///< in a slice; below 0: zero
    unsigned bits[kEach];  ///< as stored: an integer becomes a float when it is put down, so that no load is waited for

    __device__ StagedPlane(const AnyVolume& in, int left, int top) {
#pragma unroll
        for (int n = 0; n < kEach; ++n) {
            const int at = static_cast<int>(threadIdx.x) + n * kMarchThreads;
            const int x = remap(left + at % kPitch, in.width, in.border);
            const int y = remap(top + at / kPitch, in.height, in.border);
            place[n] = at < kValues && x >= 0 && y >= 0 ? y * in.width + x : -1;
        }
    }
    /// Asks for the values of slice z, which the border may move.
    __device__ void fetch(const AnyVolume& in, int z) {
        z = remap(z, in.depth, in.border);
        switch (in.type) {
            case io::PixelType::u8: return fetchAs(in, static_cast<const std::uint8_t*>(in.data), z);
            case io::PixelType::u16: return fetchAs(in, static_cast<const std::uint16_t*>(in.data), z);
            default: return fetchAs(in, static_cast<const float*>(in.data), z);
        }
    }
    __device__ void put(float* tile, io::PixelType type) const {
#pragma unroll
        for (int n = 0; n < kEach; ++n) {
            const int at = static_cast<int>(threadIdx.x) + n * kMarchThreads;
            float value = static_cast<float>(bits[n]);
            if (type == io::PixelType::f32) memcpy(&value, &bits[n], sizeof value);
            if (n + 1 < kEach || at < kValues) tile[at] = value;
        }
    }

private:
    template <class T>
    __device__ void fetchAs(const AnyVolume& in, const T* data, int z) {
        const T* const slice = data + static_cast<std::size_t>(z < 0 ? 0 : z) * in.height * in.width;
#pragma unroll
        for (int n = 0; n < kEach; ++n) {
            T value = 0;
            if (place[n] >= 0 && z >= 0) value = __ldg(slice + place[n]);
            if constexpr (std::is_same_v<T, float>)
                memcpy(&bits[n], &value, sizeof value);
            else
                bits[n] = value;
        }
    }
};

/// Quads of shared memory that hold N values from an aligned place on.
template <int N>
constexpr int kQuadsOf = (N + 3) / 4;

/// Reads N values, in whole quads, from an aligned place in shared memory.
template <int N>
__device__ void readQuads(float (&value)[4 * kQuadsOf<N>], const float* from) {
#pragma unroll
    for (int q = 0; q < kQuadsOf<N>; ++q) {
        const float4 four = reinterpret_cast<const float4*>(from)[q];
        value[4 * q] = four.x, value[4 * q + 1] = four.y, value[4 * q + 2] = four.z, value[4 * q + 3] = four.w;
    }
}

/// Stores one value; the cache is told that nobody reads it again where it is a float.
__device__ inline void storeOnce(const Target& out, int z, int x, int y, float value) {
    if (out.type == io::PixelType::f32)
        out.streamOne<float>(z * out.planeValues + static_cast<std::size_t>(y) * out.pitch() + x, value);
    else
        out.store(z, x, y, value);
}

/// Four neighbours from x on, those that lie inside: at once where rows begin at multiples of four.
__device__ inline void storeRow(const Target& out, int z, int x, int y, const float (&v)[4]) {
    if (out.pitch() % 4 != 0) return out.storeFour(z, x, y, v);
    switch (out.type) {
        case io::PixelType::u8: return out.streamFour<std::uint8_t, false>(z, x, y, v);
        case io::PixelType::u16: return out.streamFour<std::uint16_t, false>(z, x, y, v);
        default: return out.streamFour<float, false>(z, x, y, v);
    }
}

/// Slices, or rows, that a block takes: at most `most`, and so few that blocks of `others` in the other directions are
/// enough for a large GPU, but no fewer than `least`, which are mostly halo.
inline int stretchOf(int most, int least, int extent, std::int64_t others) {
    constexpr std::int64_t kFewestBlocks = 1024;
    int stretch = std::min(most, extent);
    while (stretch / 2 >= least && others * ceilDiv(extent, stretch) < kFewestBlocks) stretch = (stretch + 1) / 2;
    return stretch;
}

/// Calls f(Radius<R>) for the radius, 1 .. Most.
template <int R>
struct Radius {
    static constexpr int value = R;
};
template <int Most, class F>
void withRadius(int radius, F f) {
    const auto all = [&]<int... I>(std::integer_sequence<int, I...>) {
        ((radius == I + 1 ? f(Radius<I + 1>{}) : void()), ...);
    };
    all(std::make_integer_sequence<int, Most>{});
}

/// Calls f(volume, target, first, slices, stretch) for every channel: launches of blocks that march through `stretch`
/// slices over tiles of 64 x Rows.
template <class F>
void forMarches(LaunchContext& c, const Arguments& a, int rows, int most, F f) {
    const std::int64_t tiles = static_cast<std::int64_t>(ceilDiv(a.width, kMarchColumns)) * ceilDiv(a.height, rows);
    const int stretch = stretchOf(most, std::max(16, 2 * a.filterDepth), a.depth, tiles * a.planes);
    dispatchVolume(a, [&]<class T>(T) {
        forVolumes<T>(c, a, stretch, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, kMarchColumns), ceilDiv(a.height, rows), ceilDiv(slices, stretch));
            f(AnyVolume(in), out, first, slices, stretch, grid);
        });
    });
}

/// Whether the filter is a cube of a radius 1 .. `most`.
inline bool isCube(const Arguments& a, int most) {
    const int radius = a.filterWidth / 2;
    return a.filterWidth == a.filterHeight && a.filterWidth == a.filterDepth && radius >= 1 && radius <= most;
}
/// Whether a place in a slice is an int.
inline bool countsInInt(const Arguments& a) {
    return static_cast<std::int64_t>(a.width) * a.height < std::int64_t{1} << 31;
}

inline Footprint marchFootprint(int rows, const Box& filter) {
    const int rx = filter.width / 2, ry = filter.height / 2;
    return {.blockWidth = kMarchColumns,
            .blockHeight = kMarchThreads / kMarchColumns,
            .tileWidth = kMarchColumns,
            .tileHeight = rows,
            .stagedLeft = rx,
            .stagedTop = ry,
            .stagedRight = rx,
            .stagedBottom = ry,
            .staged = true,
            .haloX = rx,
            .haloY = ry};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
