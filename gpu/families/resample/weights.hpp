// SPDX-License-Identifier: Apache-2.0
#pragma once

// The definition of every method, for kernels in float and for the host in double.

#include "gpu/families/resample/arguments.hpp"

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define WARPLENS_RESAMPLE_BOTH __host__ __device__
#else
#define WARPLENS_RESAMPLE_BOTH
#endif

namespace warplens::gpu::resample {
#ifdef WARPLENS_BUILD
inline namespace WARPLENS_BUILD {
#else
inline namespace host_build {
#endif

/// Weights below it are none, so that a zero of a filter is one in any precision.
template <class Real>
constexpr Real kLeastWeight = Real(0x1p-20);

/// A filter at a distance in pixels that its stretch has made smaller, from 0 on.
template <class Real>
WARPLENS_RESAMPLE_BOTH Real filterAt(Method method, Real d) {
    switch (method) {
        case Method::bilinear: return d < 1 ? 1 - d : 0;
        case Method::catmullRom:
        case Method::bicubic: {
            const Real a = method == Method::bicubic ? Real(-0.75) : Real(-0.5);
            if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
            return d < 2 ? a * (((d - 5) * d + 8) * d - 4) : 0;
        }
        case Method::lanczos: {
            if (d == 0) return 1;
            if (d >= 3) return 0;
            const Real p = Real(3.14159265358979323846) * d;
            return 3 * std::sin(p) * std::sin(p / 3) / (p * p);
        }
        default: return 1;
    }
}

/// An output's place on its axis: the first tap, which may lie beyond the edge, and how far its own place lies behind
/// the pixel before it, by whole numbers.
template <class Real>
struct Place {
    int first = 0;
    Real beyond = 0;

    /// Pixel centres lie at halves: output i is about (i + 1/2) in / out - 1/2, for area from i in / out on.
    WARPLENS_RESAMPLE_BOTH Place(Method method, const Axis& axis, int i) {
        const bool filters = method != Method::nearest && method != Method::area;
        const auto in = static_cast<std::int64_t>(axis.in), out = static_cast<std::int64_t>(axis.out);
        const std::int64_t halves = method == Method::area ? 2 * i * in : (2 * i + 1) * in - (filters ? out : 0);
        // Rounded down, of negative ones as well.
        const std::int64_t whole = (halves + 2 * out) / (2 * out) - 1;
        beyond = static_cast<Real>(halves - whole * 2 * out) / static_cast<Real>(2 * out);
        first = static_cast<int>(whole) - (filters ? axis.reach - 1 : 0);
    }
    /// At a place in 2^-32 pixels.
    WARPLENS_RESAMPLE_BOTH Place(Method method, const Axis& axis, std::int64_t place) {
        constexpr std::int64_t kOne = std::int64_t{1} << 32;
        const bool filters = method != Method::nearest;
        if (!filters) place += kOne / 2;
        beyond = static_cast<Real>(place & (kOne - 1)) / static_cast<Real>(kOne);
        first = static_cast<int>(place >> 32) - (filters ? axis.reach - 1 : 0);
    }
    /// Of tap j, before all weights are made to add up to 1.
    WARPLENS_RESAMPLE_BOTH Real weight(Method method, const Axis& axis, int j) const {
        Real w = 1;
        if (method == Method::area) {
            const Real end = beyond + static_cast<Real>(axis.in) / static_cast<Real>(axis.out);
            const auto begin = static_cast<Real>(j);
            w = (begin + 1 < end ? begin + 1 : end) - (begin > beyond ? begin : beyond);
            return w < kLeastWeight<Real> ? Real(0) : w;
        }
        if (method != Method::nearest)
            w = filterAt(method,
                         std::abs(static_cast<Real>(j - (axis.reach - 1)) - beyond) / static_cast<Real>(axis.stretch));
        return std::abs(w) < kLeastWeight<Real> ? Real(0) : w;
    }
};

/// Where a pixel of a rotated picture lies in the one that it is made of, in 2^-32 pixels.
struct Turned {
    std::int64_t x = 0, y = 0;

    WARPLENS_RESAMPLE_BOTH Turned(const Case& of, int column, int row) {
        // From the middle, in halves of a pixel.
        const std::int64_t right = 2 * std::int64_t{column} + 1 - of.x.out, down = 2 * std::int64_t{row} + 1 - of.y.out;
        x = of.turn.cosine * right + of.turn.sine * down + std::int64_t{of.x.in - 1} * (std::int64_t{1} << 31);
        y = of.turn.cosine * down - of.turn.sine * right + std::int64_t{of.y.in - 1} * (std::int64_t{1} << 31);
    }
};

/// Both axes' places of a pixel of the result.
template <class Real>
struct Places {
    Place<Real> across, down;

    WARPLENS_RESAMPLE_BOTH Places(const Case& of, const Turned& at)
        : across(of.method, of.x, at.x), down(of.method, of.y, at.y) {}
    WARPLENS_RESAMPLE_BOTH Places(const Case& of, int column, int row)
        : across(of.method, of.x, column), down(of.method, of.y, row) {
        if (of.turn.turns) *this = Places(of, Turned(of, column, row));
    }
};

}  // inline namespace
}  // namespace warplens::gpu::resample
