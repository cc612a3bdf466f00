// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/factor.hpp"

#include <cmath>
#include <numbers>

namespace warplens::gpu::product {
namespace {

template <class Place>
Factor layersOf(const io::Grid& grid, bool turned, Place place) {
    const io::Shape& s = grid.shape();
    const int width = static_cast<int>(s.width), height = static_cast<int>(s.height);
    Factor made(turned ? width : height, turned ? height : width, static_cast<int>(s.depth) * s.channels);
    for (int layer = 0; layer < made.layers; ++layer) {
        const std::int64_t z = layer % s.depth;
        const int c = static_cast<int>(layer / s.depth);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) place(made, layer, x, y) = static_cast<float>(grid.value(x, y, z, c));
    }
    return made;
}

}  // namespace

Factor factorOf(const io::Grid& grid) {
    return layersOf(grid, false, [](Factor& f, int layer, int x, int y) -> float& { return f.at(y, x, layer); });
}

Factor transposeOf(const io::Grid& grid) {
    return layersOf(grid, true, [](Factor& f, int layer, int x, int y) -> float& { return f.at(x, y, layer); });
}

Factor cosines(int n, int kept) {
    Factor made(kept, n);
    const double scale = std::sqrt(2.0 / n);
    for (int k = 0; k < kept; ++k) {
        for (int i = 0; i < n; ++i) {
            // The angle in whole steps first: exact, however large.
            const std::int64_t step = std::int64_t{2 * i + 1} * k % (4 * std::int64_t{n});
            const double angle = std::numbers::pi * static_cast<double>(step) / (2.0 * n);
            made.at(k, i) = static_cast<float>(k == 0 ? std::sqrt(1.0 / n) : scale * std::cos(angle));
        }
    }
    return made;
}

Factor transposeOf(const Factor& one) {
    Factor made(one.columns, one.rows);
    for (int y = 0; y < one.rows; ++y)
        for (int x = 0; x < one.columns; ++x) made.at(x, y) = one.at(y, x);
    return made;
}

Factor bankOf(const io::Grid& grid, int side) {
    // A grid's values lie as the file has them, whatever its axes were taken for.
    const int taps = side * side;
    Factor made(static_cast<int>(grid.shape().values() / taps), taps);
    io::withType(grid.type(), [&]<class T>(T) {
        const T* from = grid.as<T>();
        for (int f = 0; f < made.rows; ++f)
            for (int k = 0; k < taps; ++k) made.at(f, k) = static_cast<float>(*from++);
    });
    return made;
}

Factor edgesAndLines() {
    constexpr int kDirections = 8, kSizes = 3, kRadius = kDefaultSide / 2;
    constexpr double kElongation = 2;
    Factor made(2 * kDirections * kSizes, kDefaultSide * kDefaultSide);
    int row = 0;
    for (int size = 0; size < kSizes; ++size) {
        const double sigma = 0.8 * std::pow(std::numbers::sqrt2, size);
        for (int order = 1; order <= 2; ++order) {
            for (int direction = 0; direction < kDirections; ++direction, ++row) {
                const double angle = std::numbers::pi * direction / kDirections;
                double sum = 0, magnitude = 0;
                std::vector<double> weights;
                for (int y = -kRadius; y <= kRadius; ++y) {
                    for (int x = -kRadius; x <= kRadius; ++x) {
                        const double u = x * std::cos(angle) + y * std::sin(angle);
                        const double v = y * std::cos(angle) - x * std::sin(angle);
                        const double bell =
                            std::exp(-(u * u + v * v / (kElongation * kElongation)) / 2 / sigma / sigma);
                        weights.push_back(bell * (order == 1 ? u : sigma * sigma - u * u));
                        sum += weights.back();
                    }
                }
                // Flat pictures give nothing, and the largest answers are of the values' own size.
                for (double& w : weights) magnitude += std::fabs(w -= sum / static_cast<double>(weights.size()));
                for (std::size_t k = 0; k < weights.size(); ++k)
                    made.at(row, static_cast<int>(k)) = static_cast<float>(2 * weights[k] / magnitude);
            }
        }
    }
    return made;
}

}  // namespace warplens::gpu::product
