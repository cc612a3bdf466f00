// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/filter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warplens::gpu::convolution {
namespace {

/// Along x, y and z.
using Factors = std::array<std::vector<double>, 3>;
using Place = std::array<std::size_t, 3>;

double ulpOf(float w) {
    const float magnitude = std::fabs(w);
    return static_cast<double>(std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) + 1)) - magnitude;
}

Place sidesOf(const Filter& f) {
    return {static_cast<std::size_t>(f.width), static_cast<std::size_t>(f.height), static_cast<std::size_t>(f.depth)};
}

/// Calls visit(place, weight) for every weight, x fastest.
template <class Visit>
void forWeights(const Filter& f, Visit visit) {
    const auto [width, height, depth] = sidesOf(f);
    auto weight = f.weights.begin();
    for (std::size_t z = 0; z < depth; ++z) {
        for (std::size_t y = 0; y < height; ++y) {
            for (std::size_t x = 0; x < width; ++x) visit(Place{x, y, z}, *weight++);
        }
    }
}

/// The best factor of an axis in the least-squares sense, the others given.
void improve(const Filter& f, Factors& factors, std::size_t axis) {
    const std::size_t one = (axis + 1) % 3, other = (axis + 2) % 3;
    double square = 1;
    for (const std::size_t fixed : {one, other}) {
        double sum = 0;
        for (const double v : factors[fixed]) sum += v * v;
        square *= sum;
    }
    std::vector<double> sums(factors[axis].size());
    forWeights(f, [&](const Place& at, float weight) {
        sums[at[axis]] += weight * factors[one][at[one]] * factors[other][at[other]];
    });
    for (std::size_t i = 0; i < sums.size(); ++i) factors[axis][i] = sums[i] / square;
}

/// The best rank-1 form in the least-squares sense, by alternation from the largest weight's rows. Rounded weights of
/// an exact product are so near to rank 1 that a few turns settle it.
Factors bestRankOne(const Filter& f) {
    const Place sides = sidesOf(f);
    Factors factors;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        factors[axis].assign(sides[axis], 0.0);
        if (f.isProduct()) factors[axis].assign(f.factors[axis].begin(), f.factors[axis].end());
    }
    if (f.isProduct()) return factors;
    const auto larger = [](float a, float b) { return std::fabs(a) < std::fabs(b); };
    const auto pivot =
        static_cast<std::size_t>(std::max_element(f.weights.begin(), f.weights.end(), larger) - f.weights.begin());
    if (f.weights[pivot] == 0.0F) return factors;
    const std::size_t row = pivot / sides[0];
    for (std::size_t x = 0; x < sides[0]; ++x) factors[0][x] = f.weights[row * sides[0] + x];
    for (std::size_t z = 0; z < sides[2]; ++z)
        factors[2][z] = f.weights[(z * sides[1] + row % sides[1]) * sides[0] + pivot % sides[0]] /
                        static_cast<double>(f.weights[pivot]);
    if (sides[2] == 1) factors[2][0] = 1;
    for (int turn = 0; turn < 8; ++turn) {
        improve(f, factors, 1);
        improve(f, factors, 0);
        if (sides[2] > 1) improve(f, factors, 2);
    }
    return factors;
}

double residual(const Filter& f, const Factors& factors) {
    double worst = 0;
    forWeights(f, [&](const Place& at, float weight) {
        // A weight of 0 must come from a factor of 0: its ulp is the smallest number there is.
        const double product = factors[1][at[1]] * factors[0][at[0]] * factors[2][at[2]];
        if (weight == 0.0F && std::fabs(product) < 1e-30) return;
        worst = std::max(worst, std::fabs(product - weight) / ulpOf(weight));
    });
    return worst;
}

double largestOf(const std::vector<double>& values) {
    double largest = 0;
    for (const double v : values) largest = std::max(largest, std::fabs(v));
    return largest;
}

/// The scale between the factors is free. An axis of one weight gets the factor 1, so that a single row, column or
/// stack keeps its weights untouched; the others get the same size.
void balance(Factors& factors) {
    double scale = 1, size = 1;
    std::vector<std::size_t> longer;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (factors[axis].size() > 1) {
            longer.push_back(axis);
            size *= largestOf(factors[axis]);
        } else {
            scale *= factors[axis][0];
            if (factors[axis][0] != 0) factors[axis][0] = 1;
        }
    }
    if (longer.empty()) {
        factors[0][0] = scale;
        return;
    }
    if (size == 0) return;
    const double each = std::pow(size * std::fabs(scale), 1.0 / static_cast<double>(longer.size()));
    for (std::size_t i = 0; i < longer.size(); ++i) {
        auto& factor = factors[longer[i]];
        const double by = longer.size() == 1 ? scale : each / largestOf(factor) * (i == 0 && scale < 0 ? -1 : 1);
        for (double& v : factor) v *= by;
    }
}

}  // namespace

double rankOneResidualUlp(const Filter& filter) { return residual(filter, bestRankOne(filter)); }

std::optional<Separation> separate(const Filter& filter) {
    constexpr double kLargestResidualUlp = 2;
    auto factors = bestRankOne(filter);
    const double worst = residual(filter, factors);
    if (filter.isProduct()) return Separation{filter.factors[0], filter.factors[1], filter.factors[2], worst};
    if (worst > kLargestResidualUlp) return std::nullopt;
    balance(factors);
    // A row or column of zeros has a factor of exactly zero, so that an infinite value meets it as it meets the matrix.
    std::array<std::vector<float>, 3> rounded;
    std::array<std::vector<bool>, 3> used;
    for (std::size_t axis = 0; axis < 3; ++axis) used[axis].assign(factors[axis].size(), false);
    forWeights(filter, [&](const Place& at, float weight) {
        for (std::size_t axis = 0; weight != 0.0F && axis < 3; ++axis) used[axis][at[axis]] = true;
    });
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < factors[axis].size(); ++i)
            rounded[axis].push_back(used[axis][i] ? static_cast<float>(factors[axis][i]) : 0.0F);
    }
    return Separation{rounded[0], rounded[1], rounded[2], worst};
}

}  // namespace warplens::gpu::convolution
