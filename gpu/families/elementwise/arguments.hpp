// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::elementwise {

/// Of a tone curve; there is a piece less.
constexpr int kMostPoints = 16;

/// What is done to a value x of the picture, y of the second one. Every result is multiplied by `scale`.
struct Formula {
    enum class Op {
        curve,   ///< a x + b, clamped to low..high
        power,   ///< that to the power of `exponent`
        pieces,  ///< that by the cubic of the last piece that begins at or before it
        above,   ///< 1 where x is above `level`, else 0
        absolute,
        sum,  ///< a x + b y
        product,
        quotient,
        minimum,
        maximum,
        difference,
        pick,  ///< a channel of the picture or of the second one
        mix    ///< weights of red, green and blue: a thread takes a pixel
    };
    Op op = Op::curve;
    float a[3] = {1, 1, 1};  ///< by channel
    float b = 0, low = 0, high = 0, exponent = 1, level = 0, scale = 1;
    float weights[3][3] = {};
    float keep = 1;     ///< factor of an alpha channel that is kept, and of what is picked
    int plane[4] = {};  ///< which is picked for each channel: of the picture, from 4 on of the second one
    int pieces = 0;
    struct Piece {
        float from, value, slope, square, cubic;
    } piece[kMostPoints - 1] = {};
    bool zeroByZero = false;  ///< a quotient of integers: what is divided by 0 is 0
};

/// A picture as kernels see it: channel after channel, `pixels` values each.
struct Case {
    io::PixelType type{}, outputType{};
    int width = 0, height = 0, depth = 1;
    std::size_t pixels = 0;
    int channels = 1, outputs = 1;  ///< of the picture, of the result
    int worked = 1;                 ///< channels that the formula is for; the one behind them is alpha
    bool alike = true;              ///< whether one formula is for all channels
    bool pair = false;
    Formula formula{};

    bool mixes() const { return formula.op == Formula::Op::mix; }
    /// What threads are for: values of the result, or the pixels of a mix.
    std::size_t count() const { return mixes() ? pixels : pixels * static_cast<std::size_t>(outputs); }
    /// Values of 16 bytes of the wider side.
    int valuesAPack() const {
        const std::size_t in = io::sizeOf(type), out = io::sizeOf(outputType);
        return static_cast<int>(16 / (in > out ? in : out));
    }
};

/// One case on one device. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0, with = 0;
    int multiprocessors = 1;
};

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Why the kernel does not take this, or null; null: it takes all.
    const char* (*refusal)(const Case&) = nullptr;
};

}  // namespace warplens::gpu::elementwise
