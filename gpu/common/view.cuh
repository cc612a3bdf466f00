// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/common/border.cuh"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

/// One plane of an input: width x height values of T, row-major, read with a border.
template <class T>
struct Plane {
    const T* data;
    int width, height;
    Border border;

    /// The value inside the picture; no check.
    __device__ float operator()(int x, int y) const {
        return static_cast<float>(data[static_cast<std::size_t>(y) * width + x]);
    }
    /// Reads with the border. False, and no memory touched, where the border is zero and (x, y) lies outside.
    __device__ bool read(int x, int y, float& value) const {
        x = remap(x, width, border);
        y = remap(y, height, border);
        if (x < 0 || y < 0) return false;
        value = (*this)(x, y);
        return true;
    }
    /// Reads with the border, zero included.
    __device__ float at(int x, int y) const {
        float value = 0;
        read(x, y, value);
        return value;
    }
    /// Whether the columns and rows first..last (inclusive) all lie inside.
    __device__ bool contains(int firstX, int firstY, int lastX, int lastY) const {
        return firstX >= 0 && firstY >= 0 && lastX < width && lastY < height;
    }
};

/// All planes of an input, one behind the other; blockIdx.z chooses.
template <class T>
struct Source {
    const T* data;
    int width, height;
    std::size_t planeValues;
    Border border;

    __device__ Plane<T> plane(unsigned z) const { return {data + z * planeValues, width, height, border}; }
};

/// All planes of an output. The stored type is chosen at run time: integers round half to even and saturate.
struct Target {
    void* data;
    io::PixelType type;
    int width, height;
    std::size_t planeValues;
    float offset;  ///< added before storing

    __device__ bool contains(int x, int y) const { return x < width && y < height; }
    __device__ static std::uint8_t toByte(float v) { return static_cast<std::uint8_t>(fminf(fmaxf(rintf(v), 0.0F), 255.0F)); }
    __device__ static std::uint16_t toWord(float v) { return static_cast<std::uint16_t>(fminf(fmaxf(rintf(v), 0.0F), 65535.0F)); }

    __device__ void store(unsigned z, int x, int y, float value) const {
        const std::size_t i = z * planeValues + static_cast<std::size_t>(y) * width + x;
        value += offset;
        switch (type) {
            case io::PixelType::f32: static_cast<float*>(data)[i] = value; break;
            case io::PixelType::u8: static_cast<std::uint8_t*>(data)[i] = toByte(value); break;
            case io::PixelType::u16: static_cast<std::uint16_t*>(data)[i] = toWord(value); break;
        }
    }

    /// Four neighbouring values from x on, those that lie inside. `aligned`: rows begin at multiples of four, and so does x:
    /// then one store does, and the cache is told that nobody reads it again.
    __device__ void storeFour(unsigned z, int x, int y, const float (&v)[4], bool aligned) const {
        if (!aligned) {
            for (int i = 0; i < 4; ++i) {
                if (contains(x + i, y)) store(z, x + i, y, v[i]);
            }
            return;
        }
        if (!contains(x, y)) return;
        const std::size_t i = z * planeValues + static_cast<std::size_t>(y) * width + x;
        switch (type) {
            case io::PixelType::f32:
                __stcs(reinterpret_cast<float4*>(static_cast<float*>(data) + i),
                       make_float4(v[0] + offset, v[1] + offset, v[2] + offset, v[3] + offset));
                break;
            case io::PixelType::u8: {
                unsigned all = 0;
                for (int k = 0; k < 4; ++k) all |= static_cast<unsigned>(toByte(v[k] + offset)) << (8 * k);
                __stcs(reinterpret_cast<unsigned*>(static_cast<std::uint8_t*>(data) + i), all);
                break;
            }
            case io::PixelType::u16: {
                unsigned long long all = 0;
                for (int k = 0; k < 4; ++k) all |= static_cast<unsigned long long>(toWord(v[k] + offset)) << (16 * k);
                __stcs(reinterpret_cast<unsigned long long*>(static_cast<std::uint16_t*>(data) + i), all);
                break;
            }
        }
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
