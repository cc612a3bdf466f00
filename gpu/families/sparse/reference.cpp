// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"
#include "gpu/families/sparse/given_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tbb/parallel_for.h>
#include <vector>

namespace warplens::gpu::sparse {
namespace {

constexpr double kRounding = 0x1p-24, kTiny = 0x1p-126, kMost = std::numeric_limits<float>::max();

/// A sum of products, with what its terms are in magnitude.
struct Sum {
    double value = 0, magnitude = 0;
    int terms = 0;

    void add(double weight, double x) {
        value += weight * x;
        magnitude += std::fabs(weight * x);
        ++terms;
    }
    /// (terms + 1) roundings of every term; none where infinities or NaN decide.
    /// Where single precision may overflow on the way the bound is infinite.
    Exact exact(double more = 0) const {
        if (!std::isfinite(value)) return {value, 0};
        if (std::isfinite(value) && magnitude > kMost) return {value, std::numeric_limits<double>::infinity()};
        return {value, kRounding * ((terms + 1) * magnitude + more) + terms * kTiny};
    }
};

struct Pixel {
    std::int64_t x, y, z;
};

/// Calls f(pixel) for the neighbours that there are.
template <class F>
void forNeighbours(const io::Shape& s, const Pixel& p, F f) {
    const std::array<Pixel, 6> all{{{p.x, p.y, p.z - 1},
                                    {p.x, p.y - 1, p.z},
                                    {p.x - 1, p.y, p.z},
                                    {p.x + 1, p.y, p.z},
                                    {p.x, p.y + 1, p.z},
                                    {p.x, p.y, p.z + 1}}};
    for (const Pixel& n : all) {
        const bool there = n.x >= 0 && n.y >= 0 && n.z >= 0 && n.x < s.width && n.y < s.height && n.z < s.depth;
        if (there) f(n);
    }
}

Exact diffused(const io::Grid& picture, const Case& of, const Pixel& p, int c) {
    const double own = picture.value(p.x, p.y, p.z, c), step = static_cast<double>(of.step);
    Sum sum;
    double weights = 0, more = 0;
    forNeighbours(picture.shape(), p, [&](const Pixel& n) {
        const double other = picture.value(n.x, n.y, n.z, c), t = (other - own) / static_cast<double>(of.k);
        const double weight = step * std::exp(-t * t);
        weights += weight;
        // A weight of nothing leaves a neighbour out, be it infinite.
        if (weight != 0) sum.add(weight, other);
        // The exponent is rounded, the exponential by two units, and the weight that is no normal number to 2^-149.
        if (std::isinf(t)) return;
        more += ((8 * t * t + 8) * weight + kTiny) * (std::fabs(other) + std::fabs(own));
    });
    sum.add(1 - weights, own);
    sum.magnitude += 2 * weights * std::fabs(own);
    return sum.exact(more);
}

Exact filtered(const io::Grid& picture, const Pixel& p, int c) {
    constexpr std::array<double, 5> kWeights{1 / 16.0, 4 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0};
    const io::Shape& s = picture.shape();
    Sum sum;
    for (std::int64_t j = 0; j < 5; ++j) {
        for (std::int64_t i = 0; i < 5; ++i) {
            const std::int64_t x = p.x + i - 2, y = p.y + j - 2;
            if (x < 0 || y < 0 || x >= s.width || y >= s.height) continue;
            sum.add(kWeights[static_cast<std::size_t>(i)] * kWeights[static_cast<std::size_t>(j)],
                    picture.value(x, y, p.z, c));
        }
    }
    return sum.exact();
}

Exact givenRow(const io::Grid& picture, const GivenMatrix& matrix, std::int64_t row, int c) {
    const auto at = static_cast<std::size_t>(row);
    Sum sum;
    for (auto i = static_cast<std::size_t>(matrix.starts[at]); i < static_cast<std::size_t>(matrix.starts[at + 1]); ++i)
        sum.add(matrix.values[i], picture.value(matrix.columns[i], 0, 0, c));
    return sum.exact();
}

}  // namespace

Exact productAt(const io::Grid& picture, const Case& of, const Unknowns& unknowns, std::int64_t x, std::int64_t y,
                std::int64_t z, int channel) {
    const io::Shape& s = picture.shape();
    const Pixel p{x, y, z};
    const double own = picture.value(x, y, z, channel);
    if (of.given != nullptr) return givenRow(picture, *of.given, (z * s.height + y) * s.width + x, channel);
    if (of.matrix == Values::diffusion) return diffused(picture, of, p, channel);
    if (of.matrix == Values::filter) return filtered(picture, p, channel);
    const auto unknown = [&](const Pixel& n) {
        return !unknowns.masked() ||
               unknowns.inside[static_cast<std::size_t>((n.z * s.height + n.y) * s.width + n.x)] != 0;
    };
    if (!unknown(p)) return {0, 0};
    Sum sum;
    int neighbours = 0;
    forNeighbours(s, p, [&](const Pixel& n) {
        ++neighbours;
        if (unknown(n)) sum.add(-1, picture.value(n.x, n.y, n.z, channel));
    });
    // Without a mask the outermost pixels, which lack a neighbour, are kept.
    if (!unknowns.masked() && neighbours < of.neighbours()) return {own, 0};
    sum.add(neighbours, own);
    return sum.exact();
}

Verification verifyProduct(const io::Grid& output, const io::Grid& picture, const Case& of, const Unknowns& unknowns,
                           const std::stop_token& stop) {
    const io::Shape& s = output.shape();
    const std::int64_t rows = s.depth * s.height;
    constexpr std::int64_t kStretch = 16;
    std::vector<ImageVerifier> judges(static_cast<std::size_t>((rows + kStretch - 1) / kStretch),
                                      ImageVerifier(output));
    tbb::parallel_for(std::size_t{0}, judges.size(), [&](std::size_t i) {
        const auto first = static_cast<std::int64_t>(i) * kStretch;
        for (std::int64_t row = first; row < std::min(first + kStretch, rows); ++row) {
            if (stop.stop_requested()) return;
            const std::int64_t y = row % s.height, z = row / s.height;
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < s.channels; ++c) {
                    if (c >= of.channels) {
                        judges[i].kept({x, y, z}, c, picture.value(x, y, z, c));
                        continue;
                    }
                    const Exact exact = productAt(picture, of, unknowns, x, y, z, c);
                    if (std::isfinite(exact.bound)) judges[i].computed({x, y, z}, c, exact.value, exact.bound);
                }
        }
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
    for (std::size_t i = 1; i < judges.size(); ++i) judges.front().join(judges[i]);
    return judges.front().result();
}

}  // namespace warplens::gpu::sparse
