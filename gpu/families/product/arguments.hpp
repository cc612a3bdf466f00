// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/code_needs.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/product/bound.hpp"
#include "io/pixel_type.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::product {

enum class Task { product, dct, bank, colours };

/// Where a matrix lies: `first` values into a buffer, its rows and layers so many values apart. A layer of 0: all
/// layers have the same matrix.
struct Matrix {
    std::uint64_t handle = 0;
    std::int64_t first = 0, row = 0, layer = 0;
};

/// C = A B, layer by layer. B are floats; rows of B, and of A where it was staged, are whole quads, filled up with
/// zeros, as is their number in B.
struct Multiplication {
    int rows = 0, inner = 0, columns = 0, layers = 1;
    Matrix a{}, b{}, c{};
    io::PixelType aType = io::PixelType::f32, cType = io::PixelType::f32;
    std::uint64_t scratch = 0;  ///< where the kernel asks for it

    /// Whether A can be read by 16 bytes wherever a row begins.
    bool quads() const { return aType == io::PixelType::f32 && a.row % 4 == 0 && a.first % 4 == 0; }
};

/// Filters over every channel, zeros around it. The result has `filters` slices a channel.
struct Banking {
    std::uint64_t input = 0, filters = 0, output = 0, scratch = 0;
    io::PixelType type{};
    int width = 0, height = 0, channels = 1;
    int count = 0, side = 0;
    std::int64_t filterRow = 0;             ///< floats from one filter to the next
    float inputScale = 1, weightScale = 1;  ///< powers of two that bring both into the range of f16

    int taps() const { return side * side; }
};

/// Colours into colours, a fourth channel kept.
struct Mixing {
    std::uint64_t input = 0, output = 0;
    io::PixelType type{};
    std::int64_t pixels = 0;
    int channels = 3;
    float weights[12] = {};  ///< three rows: red, green, blue, what is added
};

/// What is asked, without where it lies.
struct Case {
    Task task = Task::product;
    io::PixelType type{};
    int width = 0, height = 0, layers = 1;       ///< of the input, but for an alpha that is kept
    bool keepsAlpha = false;                     ///< the fourth channel comes out as it went in
    int columns = 0;                             ///< product: of the result
    int keptX = 0, keptY = 0;                    ///< dct
    int filters = 0, side = 0;                   ///< bank
    double largestInput = 0, largestFactor = 0;  ///< in magnitude; infinite where a value is not finite

    int taps() const { return side * side; }
    double largest() const { return std::max(largestInput, largestFactor); }
    /// Powers of two after which the largest value is below 2^15.
    float inputScale() const { return scaleOf(largestInput); }
    float weightScale() const { return scaleOf(largestFactor); }
    static float scaleOf(double largest) {
        int exponent = 0;
        std::frexp(largest, &exponent);
        return std::ldexp(1.0F, std::clamp(15 - exponent, -120, 120));
    }
    /// Terms of the longest sum.
    int inner() const {
        return task == Task::bank      ? taps()
               : task == Task::colours ? 4
               : task == Task::dct     ? (width > height ? width : height)
                                       : width;
    }
};

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    void (*multiply)(LaunchContext&, const Multiplication&, const TunableValues&) = nullptr;  ///< product, dct
    void (*filter)(LaunchContext&, const Banking&, const TunableValues&) = nullptr;           ///< bank
    void (*mix)(LaunchContext&, const Mixing&, const TunableValues&) = nullptr;               ///< colours
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Floats of scratch that multiply wants; null: none.
    std::size_t (*multiplyScratch)(const Multiplication&, const TunableValues&) = nullptr;
    /// Floats of scratch that filter wants for the whole picture, and without which it works band by band; null: none.
    std::size_t (*filterScratch)(const Case&) = nullptr;
    /// Dynamic shared memory of a block; null when none.
    std::size_t (*sharedBytes)(const Case&, const TunableValues&) = nullptr;
    bool quads = false;  ///< A in rows of whole 16 bytes; what lies otherwise is staged
    CodeNeeds code{};
    /// Its own bound where it computes in fewer bits; null: single precision throughout.
    Bound (*bound)(const Case&, const TunableValues&) = nullptr;
    float largestValue = 0;  ///< values must be finite and below it; 0: any
    int largestSide = 0;     ///< of a filter; 0: any
    int mostColumns = 0;     ///< of a product, the only task it takes; 0: any, and frequencies too
};

/// Copies a picture's channels as floats in rows of whole quads.
struct Staging {
    std::uint64_t from = 0, to = 0;
    io::PixelType type{};
    int width = 0, height = 0, layers = 1;
};
struct StagingEntry {
    void (*launch)(LaunchContext&, const Staging&) = nullptr;
};

}  // namespace warplens::gpu::product
