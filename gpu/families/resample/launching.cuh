// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every kernel of the family needs: pixels by index, weights by table, results by type.

#include "gpu/families/resample/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/view.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

/// Beyond an edge lies the edge's pixel.
__device__ inline int inside(int i, int extent) { return i < 0 ? 0 : i < extent ? i : extent - 1; }

inline const char* refusalToTurn(const Case& of) {
    return of.turn.turns ? "where a picture is rotated, every pixel has weights of its own" : nullptr;
}
inline const char* refusalToResize(const Case& of) {
    return of.turn.turns ? nullptr : "for rotations: tables hold the weights of a resized picture";
}

/// First taps and weights of an axis.
struct Table {
    const int* first = nullptr;
    const float* weights = nullptr;
    int taps = 0, extent = 0, outputs = 0;

    /// Of an output's tap; those of neighbouring outputs are neighbours.
    __device__ float weight(int output, int tap) const {
        return weights[static_cast<std::size_t>(tap) * outputs + output];
    }

    /// The weighted sum of at(pixel) over an output's taps. A weight of 0 takes no pixel, nor what is no number.
    template <class At>
    __device__ float sum(int output, At at) const {
        const int from = first[output];
        float total = 0;
        for (int j = 0; j < taps; ++j) {
            const float w = weight(output, j);
            if (w != 0) total = fmaf(w, at(inside(from + j, extent)), total);
        }
        return total;
    }
};

/// What a kernel reads from T and writes.
template <class T>
struct Pictures {
    const T* in;
    void* out;
    io::PixelType type;  ///< of the result
    Case of;
    Table columns, rows;

    __device__ const T* row(unsigned plane, int y) const {
        return in + (static_cast<std::size_t>(plane) * of.y.in + y) * of.x.in;
    }
    /// With the border.
    __device__ float at(unsigned plane, int x, int y) const {
        x = remap(x, of.x.in, of.border);
        y = remap(y, of.y.in, of.border);
        return x < 0 || y < 0 ? 0.0F : static_cast<float>(row(plane, y)[x]);
    }
    __device__ void store(unsigned plane, int x, int y, float value) const {
        const std::size_t i = (static_cast<std::size_t>(plane) * of.y.out + y) * of.x.out + x;
        switch (type) {
            case io::PixelType::u8: static_cast<std::uint8_t*>(out)[i] = Target::toByte(value); break;
            case io::PixelType::u16: static_cast<std::uint16_t*>(out)[i] = Target::toWord(value); break;
            default: static_cast<float*>(out)[i] = value; break;
        }
    }
};

/// Pictures whose kernels read values of T at `input`.
template <class T>
Pictures<T> picturesOf(LaunchContext& c, const Arguments& a, std::uint64_t input) {
    const auto table = [&](std::uint64_t first, std::uint64_t weights, const Axis& axis) {
        if (first == 0) return Table{};  // of a rotation
        return Table{static_cast<const int*>(c.address(first)), static_cast<const float*>(c.address(weights)),
                     axis.taps, axis.in, axis.out};
    };
    return {static_cast<const T*>(c.address(input)), c.address(a.output), a.type, a, table(a.firstX, a.weightsX, a.x),
            table(a.firstY, a.weightsY, a.y)};
}

/// Calls f(Pictures<T>) for the picture's type: three instances a kernel.
template <class F>
void dispatch(LaunchContext& c, const Arguments& a, F f) {
    io::withSampleType(a.type, [&]<class T>(T) { f(picturesOf<T>(c, a, a.input)); });
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}
inline dim3 gridOf(int width, int height, const dim3& tile, int planes) {
    return {ceilDiv(width, tile.x), ceilDiv(height, tile.y), static_cast<unsigned>(planes)};
}
inline Footprint blockFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
