// SPDX-License-Identifier: Apache-2.0
// Idea: a result is looked at where it lies; one thread a screen pixel turns values into a colour, and only these
// pixels go down. Small views read a picture that was halved on the device as often as the window halves it, so that
// what is seen while a slider moves is, bit for bit, what the window draws from the downloaded result. Built without
// fused multiply-adds for that reason (gpu/CMakeLists.txt).
#pragma once

#include "gpu/render/display.hpp"
#include "gpu/render/label_colour.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::render {
inline namespace WARPLENS_BUILD {

// Scaled before adding: four values near the largest float must not overflow.
__host__ __device__ inline float meanOf(float a, float b, float c, float d) {
    return (a * 0.25F + b * 0.25F) + (c * 0.25F + d * 0.25F);
}
template <class T>
__host__ __device__ inline T meanOf(T a, T b, T c, T d) {
    return static_cast<T>((static_cast<unsigned>(a) + b + c + d + 2U) / 4U);
}
__host__ __device__ inline std::int64_t wideMean(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    return (a + b + c + d + 2) >> 2;
}
__host__ __device__ inline std::uint32_t meanOf(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return static_cast<std::uint32_t>(wideMean(a, b, c, d));
}
__host__ __device__ inline std::int32_t meanOf(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    return static_cast<std::int32_t>(wideMean(a, b, c, d));
}

template <class T>
__global__ void halvePlanes(const T* from, std::size_t plane, int width, int height, T* to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int wide = (width + 1) / 2, high = (height + 1) / 2;
    if (x >= wide || y >= high) return;
    const int right = 2 * x + 1 < width ? 2 * x + 1 : width - 1, lower = 2 * y + 1 < height ? 2 * y + 1 : height - 1;
    const T* values = from + blockIdx.z * plane;
    const T* top = values + static_cast<std::size_t>(2 * y) * width;
    const T* bottom = values + static_cast<std::size_t>(lower) * width;
    to[(static_cast<std::size_t>(blockIdx.z) * high + y) * wide + x] =
        meanOf(top[2 * x], top[right], bottom[2 * x], bottom[right]);
}

struct ShowTables {
    const std::int32_t *acrossFirst, *acrossSecond, *downFirst, *downSecond;
    const float *acrossWeight, *downWeight;
    const std::uint32_t* colours;
    const std::uint8_t* bytes;
};

__host__ __device__ inline bool isFinite(float v) { return v - v == 0; }

__host__ __device__ inline std::uint32_t notANumber(const DisplayScene& s, float v) {
    return v != v ? s.nan : v > 0 ? s.plusInfinity : s.minusInfinity;
}

__host__ __device__ inline bool isOutside(const DisplayScene& s, float v) { return v < s.least || v > s.greatest; }

__host__ __device__ inline int stepOf(const DisplayScene& s, float v) {
    const float t = (v - s.low) * s.scale + 0.5F;
    constexpr float kLast = DisplayColours::kSteps;
    return static_cast<int>(t < 0 ? 0 : t > kLast ? kLast : t);
}

__host__ __device__ inline std::uint32_t colourOf(const DisplayScene& s, const ShowTables& t, float v) {
    if (!isFinite(v)) return notANumber(s, v);
    if (isOutside(s, v)) return v < s.least ? s.below : s.above;
    return t.colours[stepOf(s, v)];
}

__host__ __device__ inline std::uint32_t colourOf(const DisplayScene& s, const ShowTables& t, float r, float g,
                                                  float b) {
    if (!isFinite(r) || !isFinite(g) || !isFinite(b)) return notANumber(s, !isFinite(r) ? r : !isFinite(g) ? g : b);
    if (isOutside(s, r)) return r < s.least ? s.below : s.above;
    if (isOutside(s, g)) return g < s.least ? s.below : s.above;
    if (isOutside(s, b)) return b < s.least ? s.below : s.above;
    return 0xff000000U | static_cast<std::uint32_t>(t.bytes[stepOf(s, r)]) << 16 |
           static_cast<std::uint32_t>(t.bytes[stepOf(s, g)]) << 8 | t.bytes[stepOf(s, b)];
}

/// A value's colour as a label's; an integer of 32 bits goes through no float.
template <class T>
__host__ __device__ inline std::uint32_t labelShown(const DisplayScene&, T v) {
    return labelColour(v);
}
__host__ __device__ inline std::uint32_t labelShown(const DisplayScene& s, float v) {
    return isFinite(v) ? labelColour(labelNear(v)) : notANumber(s, v);
}

/// As the window weighs: exact at both ends.
__host__ __device__ inline float weighed(float a, float b, float part) { return a * (1 - part) + b * part; }

template <class T>
__global__ void showValues(const T* values, DisplayScene s, ShowTables t, std::uint32_t* pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= s.width || j >= s.height) return;
    const T* upper = values + static_cast<std::size_t>(t.downFirst[j]) * s.stored;
    const int left = t.acrossFirst[i];
    std::uint32_t& shown = pixels[static_cast<std::size_t>(j) * s.width + i];
    const int used = s.channels == 1 ? 1 : 3;
    if (s.labels && used == 1) {
        shown = labelShown(s, upper[left]);
        return;
    }
    float seen[3] = {0, 0, 0};
    if (s.smooth) {
        const T* lower = values + static_cast<std::size_t>(t.downSecond[j]) * s.stored;
        const int right = t.acrossSecond[i];
        const float wx = t.acrossWeight[i], wy = t.downWeight[j];
        for (int c = 0; c < used; ++c) {
            const std::size_t at = c * s.plane;
            const auto value = [](T v) { return static_cast<float>(v); };
            const float top = weighed(value(upper[at + left]), value(upper[at + right]), wx);
            const float bottom = weighed(value(lower[at + left]), value(lower[at + right]), wx);
            seen[c] = weighed(top, bottom, wy);
        }
    } else {
        for (int c = 0; c < used; ++c) seen[c] = static_cast<float>(upper[c * s.plane + left]);
    }
    shown = used == 1 ? colourOf(s, t, seen[0]) : colourOf(s, t, seen[0], seen[1], seen[2]);
}

// Warps lie along rows: they read, and write, whole lines.
inline dim3 displayBlock() { return dim3(32, 8); }
inline dim3 displayGrid(int width, int height, int planes) { return dim3((width + 31) / 32, (height + 7) / 8, planes); }

inline void launchHalve(LaunchContext& c, std::uint64_t from, std::size_t offset, std::size_t plane, int width,
                        int height, std::uint64_t to, int channels, io::PixelType type) {
    io::withType(type, [&](auto sample) {
        using T = decltype(sample);
        launch(c, &halvePlanes<T>, displayGrid((width + 1) / 2, (height + 1) / 2, channels), displayBlock(), 0,
               static_cast<const T*>(c.address(from)) + offset, plane, width, height, static_cast<T*>(c.address(to)));
    });
}

inline void launchShow(LaunchContext& c, const DisplayScene& scene, const DisplayTables& at, std::uint64_t values,
                       std::size_t offset, std::uint64_t tables, std::uint64_t pixels, io::PixelType type) {
    const char* base = static_cast<const char*>(c.address(tables));
    const auto integers = [base](std::size_t from) { return reinterpret_cast<const std::int32_t*>(base + from); };
    const auto floats = [base](std::size_t from) { return reinterpret_cast<const float*>(base + from); };
    const ShowTables t{integers(at.acrossFirst),
                       integers(at.acrossSecond),
                       integers(at.downFirst),
                       integers(at.downSecond),
                       floats(at.acrossWeight),
                       floats(at.downWeight),
                       reinterpret_cast<const std::uint32_t*>(base + at.colours),
                       reinterpret_cast<const std::uint8_t*>(base + at.bytes)};
    io::withType(type, [&](auto sample) {
        using T = decltype(sample);
        launch(c, &showValues<T>, displayGrid(scene.width, scene.height, 1), displayBlock(), 0,
               static_cast<const T*>(c.address(values)) + offset, scene, t,
               static_cast<std::uint32_t*>(c.address(pixels)));
    });
}

DisplayEntry displayEntryOfBuild() { return {&launchHalve, &launchShow}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::render
