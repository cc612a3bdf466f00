// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/filter.hpp"

#include <cmath>
#include <limits>

namespace warplens::gpu::convolution {
namespace {

double ulpOf(float w) {
    const float magnitude = std::fabs(w);
    return static_cast<double>(std::nextafter(magnitude, std::numeric_limits<float>::infinity())) - magnitude;
}

struct Factors {
    std::vector<double> row, column;
};

/// The best rank-1 form in the least-squares sense, by alternation from the largest weight's row. Rounded weights of an
/// exact product are so near to rank 1 that a few turns settle it.
Factors bestRankOne(const Filter& f) {
    const auto w = static_cast<std::size_t>(f.width), h = static_cast<std::size_t>(f.height);
    std::size_t pivot = 0;
    for (std::size_t i = 0; i < f.weights.size(); ++i) {
        if (std::fabs(f.weights[i]) > std::fabs(f.weights[pivot])) pivot = i;
    }
    Factors factors{std::vector<double>(w), std::vector<double>(h)};
    if (f.weights[pivot] == 0.0F) return factors;
    for (std::size_t x = 0; x < w; ++x) factors.row[x] = f.weights[pivot / w * w + x];
    for (int turn = 0; turn < 8; ++turn) {
        double rowSquare = 0, columnSquare = 0;
        for (const double r : factors.row) rowSquare += r * r;
        for (std::size_t y = 0; y < h; ++y) {
            double sum = 0;
            for (std::size_t x = 0; x < w; ++x) sum += f.weights[y * w + x] * factors.row[x];
            factors.column[y] = sum / rowSquare;
            columnSquare += factors.column[y] * factors.column[y];
        }
        for (std::size_t x = 0; x < w; ++x) {
            double sum = 0;
            for (std::size_t y = 0; y < h; ++y) sum += f.weights[y * w + x] * factors.column[y];
            factors.row[x] = sum / columnSquare;
        }
    }
    return factors;
}

double residual(const Filter& f, const Factors& factors) {
    double worst = 0;
    for (std::size_t y = 0; y < factors.column.size(); ++y) {
        for (std::size_t x = 0; x < factors.row.size(); ++x) {
            const float weight = f.weights[y * factors.row.size() + x];
            // A weight of 0 must come from a factor of 0: its ulp is the smallest number there is.
            const double product = factors.column[y] * factors.row[x];
            if (weight == 0.0F && std::fabs(product) < 1e-30) continue;
            worst = std::max(worst, std::fabs(product - weight) / ulpOf(weight));
        }
    }
    return worst;
}

}  // namespace

double rankOneResidualUlp(const Filter& filter) {
    if (filter.depth > 1) return std::numeric_limits<double>::infinity();
    return residual(filter, bestRankOne(filter));
}

std::optional<Separation> separate(const Filter& filter) {
    constexpr double kLargestResidualUlp = 2;
    if (filter.depth > 1) return std::nullopt;
    auto factors = bestRankOne(filter);
    const double worst = residual(filter, factors);
    if (worst > kLargestResidualUlp) return std::nullopt;

    // The scale between the factors is free. A single row or column keeps its weights untouched; else both get the same
    // size.
    double scale = 1;
    double largestRow = 0, largestColumn = 0;
    for (const double r : factors.row) largestRow = std::max(largestRow, std::fabs(r));
    for (const double c : factors.column) largestColumn = std::max(largestColumn, std::fabs(c));
    if (filter.height == 1) {
        scale = factors.column[0];
    } else if (filter.width == 1) {
        scale = largestRow > 0 ? 1 / factors.row[0] : 1;
    } else if (largestRow > 0) {
        scale = std::sqrt(largestColumn / largestRow);
    }
    Separation separation{.row = {}, .column = {}, .residualUlp = worst};
    // A row or column of zeros has a factor of exactly zero, so that an infinite value meets it as it meets the matrix.
    for (std::size_t x = 0; x < factors.row.size(); ++x) {
        bool zero = true;
        for (std::size_t y = 0; y < factors.column.size(); ++y)
            zero = zero && filter.weights[y * factors.row.size() + x] == 0.0F;
        separation.row.push_back(zero ? 0.0F : static_cast<float>(factors.row[x] * scale));
    }
    for (std::size_t y = 0; y < factors.column.size(); ++y) {
        bool zero = true;
        for (std::size_t x = 0; x < factors.row.size(); ++x)
            zero = zero && filter.weights[y * factors.row.size() + x] == 0.0F;
        separation.column.push_back(zero ? 0.0F : static_cast<float>(factors.column[y] / scale));
    }
    return separation;
}

}  // namespace warplens::gpu::convolution
