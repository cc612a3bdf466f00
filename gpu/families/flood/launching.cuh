// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung needs: the picture, keys, and a pixel's neighbours.

#include "gpu/families/flood/arguments.hpp"
#include "gpu/kernels/relaxed.cuh"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

using Wide = unsigned long long;

template <class Key>
__device__ constexpr Key emptyKey() {
    return ~Key{0};
}
template <class Key>
__device__ Key keyOf(unsigned level, unsigned seed) {
    if constexpr (sizeof(Key) == 4)
        return level;
    else
        return Wide{level} << 32U | seed;
}
template <class Key>
__device__ unsigned levelOf(Key key) {
    if constexpr (sizeof(Key) == 4)
        return key;
    else
        return static_cast<unsigned>(key >> 32U);
}
template <class Key>
__device__ unsigned seedOf(Key key) {
    if constexpr (sizeof(Key) == 4)
        return 0;
    else
        return static_cast<unsigned>(key);
}

/// A picture and what reached its pixels. Values are read through a pointer, or what stands for one.
template <class T, class K, class Values = const T*>
struct Field {
    using Key = K;
    Values in;
    Key* keys;
    const float* bounds;
    unsigned* queue;
    Slot* slots;
    unsigned width, height, depth, pixels;
    int channels;
    bool corners, deep;

    /// Whether each channel of a pixel is within the seed's bounds; NaN is not.
    __device__ bool accepts(unsigned seed, unsigned pixel) const {
        const float* const own = bounds + 2 * static_cast<std::size_t>(seed) * channels;
        for (int c = 0; c < channels; ++c) {
            const auto value = static_cast<float>(in[static_cast<std::size_t>(c) * pixels + pixel]);
            if (!(value >= own[2 * c] && value <= own[2 * c + 1])) return false;
        }
        return true;
    }
    /// Calls f(neighbour) for each that lies inside the picture.
    template <class F>
    __device__ void forNeighbours(unsigned pixel, F f) const {
        const unsigned row = pixel / width, x = pixel - row * width, y = row % height, z = row / height;
        const unsigned slice = width * height;
        if (!corners) {
            if (x > 0) f(pixel - 1);
            if (x + 1 < width) f(pixel + 1);
            if (y > 0) f(pixel - width);
            if (y + 1 < height) f(pixel + width);
            if (deep && z > 0) f(pixel - slice);
            if (deep && z + 1 < depth) f(pixel + slice);
            return;
        }
        const unsigned left = x > 0 ? x - 1 : x, right = x + 1 < width ? x + 1 : x;
        const unsigned top = y > 0 ? y - 1 : y, bottom = y + 1 < height ? y + 1 : y;
        const unsigned front = deep && z > 0 ? z - 1 : z, back = deep && z + 1 < depth ? z + 1 : z;
        for (unsigned k = front; k <= back; ++k)
            for (unsigned j = top; j <= bottom; ++j)
                for (unsigned i = left; i <= right; ++i)
                    if (i != x || j != y || k != z) f((k * height + j) * width + i);
    }
    /// Offers a pixel's neighbours the next level: push(neighbour) for those that nothing had reached.
    template <class Push>
    __device__ void expand(unsigned pixel, unsigned level, Push push) const {
        const unsigned seed = seedOf(relaxedLoad(&keys[pixel]));
        const Key key = keyOf<Key>(level + 1, seed);
        forNeighbours(pixel, [&](unsigned next) {
            if (relaxedLoad(&keys[next]) <= key || !accepts(seed, next)) return;
            if (atomicMin(&keys[next], key) == emptyKey<Key>()) push(next);
        });
    }
};

/// How a field reads values: as they lie there.
struct ByPointer {
    template <class T>
    const T* operator()(const T* values, std::size_t) const {
        return values;
    }
};

/// Calls f(Field) for the picture's type.
template <class Key, class Reading = ByPointer, class F>
void dispatchType(LaunchContext& c, const Flood& flood, F f) {
    const auto with = [&]<class T>(T) {
        const auto in = Reading{}(static_cast<const T*>(c.address(flood.input)),
                                  std::size_t{flood.pixels()} * static_cast<std::size_t>(flood.channels));
        f(Field<T, Key, std::remove_const_t<decltype(in)>>{
            in, static_cast<Key*>(c.address(flood.keys)), static_cast<const float*>(c.address(flood.bounds)),
            static_cast<unsigned*>(c.address(flood.queue)), static_cast<Slot*>(c.address(flood.control)),
            static_cast<unsigned>(flood.width), static_cast<unsigned>(flood.height), static_cast<unsigned>(flood.depth),
            flood.pixels(), flood.channels, flood.corners, flood.deep});
    };
    switch (flood.type) {
        case io::PixelType::u8: return with(std::uint8_t{});
        case io::PixelType::u16: return with(std::uint16_t{});
        default: return with(float{});
    }
}

/// The same with keys for one colour or several.
template <class Reading = ByPointer, class F>
void dispatch(LaunchContext& c, const Flood& flood, F f) {
    if (flood.colours)
        dispatchType<Wide, Reading>(c, flood, f);
    else
        dispatchType<unsigned, Reading>(c, flood, f);
}

inline unsigned blockWidthOf(const TunableValues& t) { return static_cast<unsigned>(t.at("block_width")); }

inline unsigned blocksFor(unsigned items, unsigned each) { return items / each + (items % each > 0 ? 1 : 0); }

/// Of a queue, whose length the host does not know: enough to fill a large GPU, and no more than there are pixels.
inline unsigned queueBlocks(const Flood& flood, const TunableValues& t) {
    const unsigned all = blocksFor(flood.pixels(), blockWidthOf(t)), most = 1024;
    return all < most ? all : most;
}

/// A block's threads stand for pixels of a row. Those of a queue have no such place: drawn alike, for how many they
/// are.
inline Footprint pixelFootprint(const TunableValues& t) {
    const int width = t.at("block_width");
    return {.blockWidth = width,
            .blockHeight = 1,
            .tileWidth = width,
            .tileHeight = 1,
            .haloX = 1,
            .haloY = 1,
            .haloThroughCache = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
