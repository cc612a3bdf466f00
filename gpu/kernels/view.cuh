// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/kernels/border.cuh"
#include "gpu/kernels/conversion.cuh"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

/// How far the rows of a picture lie apart, in values. Padded: as kernels are given it that load neighbours together
/// (paddedRows). All others know that it is the width, one number less to fetch and to keep: 2 to 5 % of their time.
template <bool Padded>
struct RowPitch {
    int padded;
    __host__ __device__ int operator()(int width) const {
        if constexpr (Padded) return padded;
        return width;
    }
};

/// One plane of an input: width x height values of T, read with a border.
template <class T, bool Padded = false>
struct Plane {
    const T* data;
    int width, height;
    Border border;
    RowPitch<Padded> rowPitch;

    __device__ int pitch() const { return rowPitch(width); }

    /// The value inside the picture; no check.
    __device__ float operator()(int x, int y) const {
        return static_cast<float>(data[static_cast<std::size_t>(y) * pitch() + x]);
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
template <class T, bool Padded = false>
struct Source {
    const T* data;
    int width, height;
    std::size_t planeValues;
    Border border;
    RowPitch<Padded> rowPitch;

    __device__ Plane<T, Padded> plane(unsigned z) const {
        return {data + z * planeValues, width, height, border, rowPitch};
    }
};

/// All planes of an output. The stored type is chosen at run time: integers round half to even and saturate.
template <bool Padded>
struct TargetOf {
    void* data;
    io::PixelType type;
    int width, height;
    std::size_t planeValues;
    float offset;  ///< added before storing
    RowPitch<Padded> rowPitch;

    __device__ int pitch() const { return rowPitch(width); }
    __device__ bool contains(int x, int y) const { return x < width && y < height; }
    __device__ static std::uint8_t toByte(float v) {
        return static_cast<std::uint8_t>(fminf(fmaxf(rintf(v), 0.0F), 255.0F));
    }
    __device__ static std::uint16_t toWord(float v) {
        return static_cast<std::uint16_t>(fminf(fmaxf(rintf(v), 0.0F), 65535.0F));
    }

    /// For sums that began with the offset, where they did.
    __device__ TargetOf ofSums(bool whole) const {
        TargetOf same = *this;
        if (whole) same.offset = 0;
        return same;
    }

    __device__ void store(unsigned z, int x, int y, float value) const {
        const std::size_t i = z * planeValues + static_cast<std::size_t>(y) * pitch() + x;
        value += offset;
        switch (type) {
            case io::PixelType::f32: static_cast<float*>(data)[i] = value; break;
            case io::PixelType::u8: static_cast<std::uint8_t*>(data)[i] = toByte(value); break;
            case io::PixelType::u16: static_cast<std::uint16_t*>(data)[i] = toWord(value); break;
            case io::PixelType::u32:
            case io::PixelType::i32: break;  // no filter's output
        }
    }

    /// Four neighbouring values from x on as T, the stored type; rows begin at multiples of four, and so does x.
    /// Whole: they are sums that began with the offset. The cache is told that nobody reads them again.
    template <class T, bool Whole>
    __device__ void streamFour(unsigned z, int x, int y, const float (&v)[4]) const {
        T* const to = static_cast<T*>(data) + z * planeValues + static_cast<std::size_t>(y) * pitch() + x;
        if constexpr (std::is_same_v<T, float>)
            __stcs(reinterpret_cast<float4*>(to), whole<Whole>(v));
        else if constexpr (std::is_same_v<T, std::uint8_t>)
            __stcs(reinterpret_cast<unsigned*>(to), packed<T, Whole>(v));
        else
            __stcs(reinterpret_cast<unsigned long long*>(to), packed<T, Whole>(v));
    }

    /// The same where it is wanted, integers by a predicate: a compiler brings no loads forward across a branch.
    template <class T, bool Whole>
    __device__ void streamFourIf(bool wanted, unsigned z, int x, int y, const float (&v)[4]) const {
#ifdef __CUDA_ARCH__
        if constexpr (!std::is_same_v<T, float>) {
            T* const to = static_cast<T*>(data) + z * planeValues + static_cast<std::size_t>(y) * pitch() + x;
            const unsigned asked = wanted;
            if constexpr (std::is_same_v<T, std::uint8_t>)
                asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.global.cs.u32 [%1], %2; }" ::"r"(asked),
                             "l"(to), "r"(packed<T, Whole>(v)));
            else
                asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.global.cs.u64 [%1], %2; }" ::"r"(asked),
                             "l"(to), "l"(packed<T, Whole>(v)));
            return;
        }
#endif
        if (wanted) streamFour<T, Whole>(z, x, y, v);
    }

    /// One value as T, the stored type, `at` values from the first plane's first. Streamed as well.
    template <class T>
    __device__ void streamOne(std::size_t at, float value) const {
        T* const to = static_cast<T*>(data) + at;
        if constexpr (std::is_same_v<T, float>)
            __stcs(to, value + offset);
        else if constexpr (std::is_same_v<T, std::uint8_t>)
            __stcs(to, toByte(value + offset));
        else
            __stcs(to, toWord(value + offset));
    }

    /// Two neighbouring floats from x on, which is even, as is the pitch. Streamed as well.
    __device__ void streamTwo(unsigned z, int x, int y, const float (&v)[2]) const {
        float* const to = static_cast<float*>(data) + z * planeValues + static_cast<std::size_t>(y) * pitch() + x;
        __stcs(reinterpret_cast<float2*>(to), float2{v[0] + offset, v[1] + offset});
    }

    /// Four neighbouring values from x on, those that lie inside.
    __device__ void storeFour(unsigned z, int x, int y, const float (&v)[4]) const {
        for (int i = 0; i < 4; ++i) {
            if (contains(x + i, y)) store(z, x + i, y, v[i]);
        }
    }

private:
    template <bool Whole>
    __device__ float4 whole(const float (&v)[4]) const {
        if constexpr (Whole) return {v[0], v[1], v[2], v[3]};
        return {v[0] + offset, v[1] + offset, v[2] + offset, v[3] + offset};
    }
    /// Four as they are stored, of 8 or 16 bits.
    template <class T, bool Whole>
    __device__ auto packed(const float (&v)[4]) const {
        const float4 all = whole<Whole>(v);
        const float w[4] = {all.x, all.y, all.z, all.w};
        if constexpr (std::is_same_v<T, std::uint8_t>)
            return toBytes(w);
        else
            return toHalfWords(w);
    }
};
using Target = TargetOf<false>;

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
