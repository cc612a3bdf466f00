// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/distance/arguments.hpp"

#include <cmath>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace warplens::gpu::distance {

/// Relative error that a distance or its square in millimetres may have: squares are rounded to f32 after each axis and
/// the root once more, 2^-24 each.
constexpr double kMillimetreBound = 0x1p-22;

/// Of distances in pixels by libraries, whose roots are not correctly rounded.
constexpr double kLibraryBound = 0x1p-22;
inline constexpr const char* kLibraryNote = "roots in single precision: within 2^-22 of the distance";

/// How many times too far a site found by jump flooding may be: sqrt 2 in a picture, sqrt 3 in a volume. From a pixel's
/// nearest site to the pixel leads a path of one jump a pass at most, a power of two along some of the axes. Where
/// another site is kept on its way, that is no farther; so what arrives is no farther than the path is long, which is
/// the sum of the distances along the axes at most.
inline double floodingFactor(int depth) { return std::sqrt(depth > 1 ? 3.0 : 2.0); }

/// Squared distances of one channel, x fastest: lower envelopes in double, where squares of pixels are exact integers.
/// Infinity where there is no site. Throws Error(cancelled).
std::vector<double> squaredDistances(const io::Grid& input, const Case& of, int channel, const std::stop_token& stop);

/// Holds results against the definition, which is worked out once. Thread-safe.
class Verifier {
public:
    Verifier(std::shared_ptr<const io::Grid> input, const Case& of);

    /// In pixels every value must be the exact one, its root correctly rounded, but for a relative error of `allowed`;
    /// in millimetres within kMillimetreBound.
    Verification verify(const io::Grid& output, double allowed, const std::stop_token& stop) const;
    /// Of jump flooding: no value may be below the exact one, and none beyond floodingFactor() times it. The note
    /// counts those that are beyond it at all.
    Verification verifyApproximate(const io::Grid& output, const std::stop_token& stop) const;

private:
    const std::vector<std::vector<double>>& exact(const std::stop_token& stop) const;

    std::shared_ptr<const io::Grid> m_input;
    Case m_case;
    mutable std::mutex m_mutex;
    mutable std::vector<std::vector<double>> m_exact;  ///< squares, a channel
};

}  // namespace warplens::gpu::distance
