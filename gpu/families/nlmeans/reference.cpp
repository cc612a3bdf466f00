// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/nlmeans/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warplens::gpu::nlmeans {
namespace {

constexpr double kEps = 0x1p-23, kTiny = 0x1p-149;

/// The index that stands for i, or -1 where zeros lie outside.
std::int64_t inside(std::int64_t i, std::int64_t n, Border border) {
    if (i >= 0 && i < n) return i;
    if (border == Border::zero) return -1;
    if (border == Border::replicate) return std::clamp<std::int64_t>(i, 0, n - 1);
    const std::int64_t period = border == Border::wrap ? n : std::max<std::int64_t>(1, 2 * (n - 1));
    i = (i % period + period) % period;
    return i < n ? i : period - i;
}

/// The rows about one, as far as the patches of its taps reach, with as much to either side.
class Band {
public:
    Band(const io::Grid& input, const Case& of, std::int64_t y, std::int64_t z)
        : m_reach(of.patch + of.search), m_width(of.width + 2 * m_reach), m_channels(of.channels) {
        m_values.reserve(static_cast<std::size_t>(2 * m_reach + 1) * static_cast<std::size_t>(m_width * m_channels));
        for (int row = -m_reach; row <= m_reach; ++row) {
            const std::int64_t fromY = inside(y + row, of.height, of.border);
            for (int x = -m_reach; x < of.width + m_reach; ++x) {
                const std::int64_t fromX = inside(x, of.width, of.border);
                for (int c = 0; c < m_channels; ++c)
                    m_values.push_back(fromX < 0 || fromY < 0 ? 0 : input.value(fromX, fromY, z, c));
            }
        }
    }
    /// The channels of a pixel; rows are counted from the one in the middle.
    const double* at(int x, int row) const {
        return m_values.data() + ((static_cast<std::ptrdiff_t>(row) + m_reach) * m_width + x + m_reach) * m_channels;
    }
    double squaredDifference(int x, int row, int dx, int dy) const {
        const double *const a = at(x, row), *const b = at(x + dx, row + dy);
        double sum = 0;
        for (int c = 0; c < m_channels; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
        return sum;
    }

private:
    int m_reach, m_width, m_channels;
    std::vector<double> m_values;
};

/// How far a weight may be off, and how far below.
struct Off {
    double any, below;
};

Off offBy(double weight, const WeightError& own) {
    const double most = std::min(1.0, weight * own.raised);
    if (most + own.step < own.least) return {weight, weight};
    const double below = weight < own.least + own.step ? weight : own.step;
    return {std::max(most - weight + own.step, below), below};
}

/// Of one pixel, over its taps.
struct Sums {
    int count = 0;
    double total = 0, off = 0, below = 0;  ///< of weights, of what they may be off, and how far below
    Exact::Colour sum{}, size{};
    Exact::Colour moved{};  ///< of that, times the distance from the pixel's own value

    void add(double weight, const Off& error, const double* tap, const double* centre, int channels) {
        ++count;
        total += weight;
        off += error.any;
        below += error.below;
        for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
            sum[c] += weight * tap[c];
            size[c] += weight * std::fabs(tap[c]);
            moved[c] += error.any * std::fabs(tap[c] - centre[c]);
        }
    }
    Exact result(const double* centre, int channels) const {
        Exact exact{.value = {}, .bound = {}, .any = count > 0};
        for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
            exact.value[c] = exact.any ? sum[c] / total : centre[c];
            if (!exact.any) continue;
            // The pixel's own weight is 1, whatever is lost of others.
            exact.bound[c] = (count + 2) * kEps * size[c] / total + count * kTiny +
                             (moved[c] + off * std::fabs(exact.value[c] - centre[c])) / std::max(1.0, total - below);
        }
        return exact;
    }
};

}  // namespace

// A sum of n squares that none of them cancels is off by (n / 2 + 8) eps of itself at most, in whatever order, and so
// is what is left when the noise is taken off, of both. A weight exp(-a) is off by that much of a and 4 eps of itself.
std::vector<Exact> exactRow(const io::Grid& input, const Case& of, double strength, double noise,
                            const WeightError& own, std::int64_t y, std::int64_t z) {
    const Band band(input, of, y, z);
    const int r = of.patch, s = of.search, side = 2 * r + 1, terms = side * side * of.channels;
    const double falls = 1 / (strength * strength * terms), spared = 2 * noise * noise * terms;
    std::vector<Sums> sums(static_cast<std::size_t>(of.width));
    std::vector<double> columns(static_cast<std::size_t>(of.width + 2 * r));
    for (int dy = -s; dy <= s; ++dy) {
        for (int dx = -s; dx <= s; ++dx) {
            for (int x = -r; x < of.width + r; ++x) {
                double& column = columns[static_cast<std::size_t>(x + r)] = 0;
                for (int row = -r; row <= r; ++row) column += band.squaredDifference(x, row, dx, dy);
            }
            for (int x = 0; x < of.width; ++x) {
                double apart = 0;
                for (int i = 0; i < side; ++i) apart += columns[static_cast<std::size_t>(x + i)];
                if (!std::isfinite(apart)) continue;
                const double weight = std::exp(-falls * std::max(apart - spared, 0.0));
                const double error = (4 + (terms / 2.0 + 8) * falls * (apart + spared)) * kEps;
                const double off = weight > 0 ? std::min(1.0, weight * std::expm1(error)) : 0;
                Off all = offBy(weight, own);
                all.any += off + kTiny;
                sums[static_cast<std::size_t>(x)].add(weight, all, band.at(x + dx, dy), band.at(x, 0), of.channels);
            }
        }
    }
    std::vector<Exact> row;
    for (int x = 0; x < of.width; ++x)
        row.push_back(sums[static_cast<std::size_t>(x)].result(band.at(x, 0), of.channels));
    return row;
}

}  // namespace warplens::gpu::nlmeans
