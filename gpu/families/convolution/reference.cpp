// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warplens::gpu::convolution {
namespace {

// Walks back into the picture step by step as each border's definition says; -1 where there is nothing.
std::int64_t inside(std::int64_t i, std::int64_t n, Border border) {
    if (border == Border::zero) return i >= 0 && i < n ? i : -1;
    if (border == Border::replicate) return i < 0 ? 0 : i >= n ? n - 1 : i;
    while (i < 0 || i >= n) {
        if (border == Border::wrap)
            i += i < 0 ? n : -n;
        else if (n == 1)
            i = 0;
        else
            i = i < 0 ? -i : 2 * (n - 1) - i;
    }
    return i;
}

}  // namespace

Exact exactAt(const io::Grid& input, const Filter& filter, Border border, double offset, std::int64_t x, std::int64_t y,
              std::int64_t z, int channel) {
    Exact sum{offset, std::fabs(offset)};
    auto weight = filter.weights.begin();
    for (int k = 0; k < filter.depth; ++k) {
        const auto sourceZ = inside(z + k - filter.depth / 2, input.shape().depth, border);
        for (int j = 0; j < filter.height; ++j) {
            const auto sourceY = inside(y + j - filter.height / 2, input.shape().height, border);
            for (int i = 0; i < filter.width; ++i, ++weight) {
                const auto sourceX = inside(x + i - filter.width / 2, input.shape().width, border);
                if (sourceX < 0 || sourceY < 0 || sourceZ < 0) continue;
                const double term = static_cast<double>(*weight) * input.value(sourceX, sourceY, sourceZ, channel);
                sum.value += term;
                sum.magnitude += std::fabs(term);
            }
        }
    }
    return sum;
}

namespace {

/// The places of an axis that outputs from `first` on read, each once, and where in them every tap's place is; -1 where
/// there is nothing.
struct Reach {
    std::vector<std::int64_t> places;
    std::vector<std::ptrdiff_t> at;  ///< of output i and tap t: at[i + t]

    Reach(std::int64_t first, std::int64_t count, int taps, std::int64_t extent, Border border) {
        std::vector<std::int64_t> from;
        for (std::int64_t i = 0; i < count + taps - 1; ++i)
            from.push_back(inside(first + i - taps / 2, extent, border));
        places = from;
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        if (!places.empty() && places.front() < 0) places.erase(places.begin());
        for (const auto place : from)
            at.push_back(place < 0 ? -1 : std::lower_bound(places.begin(), places.end(), place) - places.begin());
    }
};

void add(Exact& sum, double weight, double value, double magnitude) {
    sum.value += weight * value;
    sum.magnitude += std::fabs(weight) * magnitude;
}

}  // namespace

double tapsOfProduct(const Filter& f, std::int64_t width, std::int64_t height) {
    const auto w = static_cast<double>(width), h = static_cast<double>(height);
    return ((w + f.width - 1) * ((h + f.height - 1) * f.depth + h * f.height) + w * h * f.width) / (w * h);
}

std::vector<Exact> exactProduct(const io::Grid& input, const Filter& filter, Border border, double offset,
                                const Tile& tile, int channel) {
    const auto& shape = input.shape();
    const Reach x(tile.x, tile.width, filter.width, shape.width, border);
    const Reach y(tile.y, tile.height, filter.height, shape.height, border);
    const Reach z(tile.z, 1, filter.depth, shape.depth, border);
    const std::size_t width = x.places.size(), rows = y.places.size();
    std::vector<Exact> plane(width * rows);
    for (std::size_t t = 0; t < z.at.size(); ++t) {
        if (z.at[t] < 0) continue;
        const auto slice = z.places[static_cast<std::size_t>(z.at[t])];
        for (std::size_t j = 0; j < rows; ++j) {
            for (std::size_t i = 0; i < width; ++i) {
                const double value = input.value(x.places[i], y.places[j], slice, channel);
                add(plane[j * width + i], filter.factors[2][t], value, std::fabs(value));
            }
        }
    }
    const auto taps = [](const Reach& reach, std::size_t at, const std::vector<float>& weights, auto visit) {
        for (std::size_t t = 0; t < weights.size(); ++t) {
            if (reach.at[at + t] >= 0) visit(static_cast<std::size_t>(reach.at[at + t]), weights[t]);
        }
    };
    std::vector<Exact> all;
    std::vector<Exact> line(width);
    for (std::size_t j = 0; j < static_cast<std::size_t>(tile.height); ++j) {
        line.assign(width, {});
        taps(y, j, filter.factors[1], [&](std::size_t from, double weight) {
            for (std::size_t i = 0; i < width; ++i) {
                const Exact& e = plane[from * width + i];
                add(line[i], weight, e.value, e.magnitude);
            }
        });
        for (std::size_t i = 0; i < static_cast<std::size_t>(tile.width); ++i) {
            Exact sum{offset, std::fabs(offset)};
            taps(x, i, filter.factors[0],
                 [&](std::size_t from, double weight) { add(sum, weight, line[from].value, line[from].magnitude); });
            all.push_back(sum);
        }
    }
    return all;
}

}  // namespace warplens::gpu::convolution
