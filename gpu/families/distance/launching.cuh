// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung needs: which values are sites, squares along an axis, how results are stored, grids.

#include "gpu/core/float_bound.hpp"
#include "gpu/families/distance/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/shared.cuh"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

/// Squared distances as they lie in memory, of which kernels are templates: unsigned in pixels, float in millimetres.
/// They are added up and compared in integers, or in double.
template <class Cost>
using Wide = std::conditional_t<std::is_same_v<Cost, float>, double, unsigned>;

template <class Cost>
constexpr Cost kNone = std::is_same_v<Cost, float> ? std::numeric_limits<Cost>::infinity() : Cost(kNoSquare);

template <class T>
__device__ T lesser(T a, T b) {
    return b < a ? b : a;
}
template <class T>
__device__ T greater(T a, T b) {
    return a < b ? b : a;
}

/// The square of a distance along one axis.
template <class Cost>
struct Axis;
template <>
struct Axis<unsigned> {
    __device__ unsigned operator()(int apart) const {
        return static_cast<unsigned>(apart) * static_cast<unsigned>(apart);
    }
    /// Pixels along the axis beyond which nothing is nearer than `cost`, `most` at most.
    __device__ int reach(unsigned cost, int most) const {
        return lesser(most, static_cast<int>(sqrtf(static_cast<float>(cost))) + 1);
    }
};
template <>
struct Axis<float> {
    double square;  ///< of a step
    __device__ double operator()(int apart) const { return square * apart * apart; }
    __device__ int reach(float cost, int most) const {
        const double steps = sqrt(cost / square) + 1;
        return steps < most ? static_cast<int>(steps) : most;
    }
};

template <class Cost>
Axis<Cost> axisOf(const Case& c, int axis) {
    if constexpr (std::is_same_v<Cost, float>)
        return {c.spacing[axis] * c.spacing[axis]};
    else
        return {};
}

/// Which values are sites.
struct Sites {
    const void* values;
    io::PixelType type;
    float level;

    __device__ bool operator[](std::size_t at) const {
        if (type == io::PixelType::f32) return static_cast<const float*>(values)[at] <= level;
        if (type == io::PixelType::u16)
            return static_cast<float>(static_cast<const std::uint16_t*>(values)[at]) <= level;
        return static_cast<float>(static_cast<const std::uint8_t*>(values)[at]) <= level;
    }
};

inline Sites sitesOf(LaunchContext& c, const Arguments& a) {
    return {c.address(a.input), a.type, floatAtMost(a.level)};
}

/// Where squared distances go: as they are, for another kernel, or as the result.
template <class Cost>
struct Sink {
    enum class Form { between, squared, root };
    void* out;
    Form form;

    __device__ void store(std::size_t at, Wide<Cost> square) const {
        if constexpr (std::is_same_v<Cost, float>) {
            static_cast<float*>(out)[at] = static_cast<float>(form == Form::root ? sqrt(square) : square);
        } else {
            const bool none = square >= kNoSquare;
            if (form == Form::root)
                static_cast<float*>(out)[at] = none ? kNone<float> : rootOf(square);
            else
                static_cast<unsigned*>(out)[at] = !none ? square : form == Form::squared ? kNoneSquared : kNoSquare;
        }
    }
    /// Correctly rounded: below 2^24 the square is a float; above, the root of doubles lies nowhere near the middle
    /// between two floats unless it is the middle.
    __device__ static float rootOf(unsigned square) {
        if (square < 1U << 24) return sqrtf(static_cast<float>(square));
        return static_cast<float>(sqrt(static_cast<double>(square)));
    }
};

template <class Cost>
Sink<Cost> resultOf(LaunchContext& c, const Arguments& a) {
    using Form = typename Sink<Cost>::Form;
    return {c.address(a.output), a.squared ? Form::squared : Form::root};
}

/// Calls f(Cost{}) for what distances are kept in.
template <class F>
void dispatch(const Case& c, F f) {
    if (c.millimetres) return f(float{});
    f(unsigned{});
}

/// Where a launch begins: the first row and layer of its blocks.
struct Start {
    int row = 0, layer = 0;
};

/// Calls f(grid, start) for one stretch after the other of a grid whose blocks cover tileWidth x tileHeight pixels of a
/// layer, in launches that a grid can hold and that end within a tenth of a second on a large GPU, so that they may be
/// stopped. `work`: operations a pixel at worst.
template <class F>
void forTiles(const Case& c, int tileWidth, int tileHeight, double work, F f) {
    constexpr double kMostWork = 2e11;
    constexpr unsigned kMost = 65535;
    const unsigned across = ceilDiv(c.width, tileWidth), down = ceilDiv(c.height, tileHeight);
    const auto layers = static_cast<unsigned>(c.layers());
    const double ofLayer = work * c.width * c.height;
    const auto together = static_cast<unsigned>(std::clamp(kMostWork / ofLayer, 1.0, double{kMost}));
    const auto rows = static_cast<unsigned>(std::clamp(down * kMostWork / ofLayer, 1.0, double{kMost}));
    for (unsigned layer = 0; layer < layers; layer += together)
        for (unsigned row = 0; row < down; row += rows)
            f(dim3(across, std::min(rows, down - row), std::min(together, layers - layer)),
              Start{static_cast<int>(row) * tileHeight, static_cast<int>(layer)});
}

/// Of a block whose threads compute one pixel each.
inline Footprint pixelFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h};
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
