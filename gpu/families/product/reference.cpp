// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tbb/parallel_for.h>
#include <utility>

namespace warplens::gpu::product {
namespace {

/// Multiply-adds that the reference may cost, and values that it may keep.
constexpr double kMostWork = 1.5e8, kMostValues = 4e6;
constexpr std::int64_t kLeastPicked = 64;

/// `count` of n places: as many at either end as in between, those spread evenly.
std::vector<std::int64_t> spread(std::int64_t n, std::int64_t count) {
    std::vector<std::int64_t> places;
    if (count >= n) {
        for (std::int64_t i = 0; i < n; ++i) places.push_back(i);
        return places;
    }
    const std::int64_t ends = count / 4, between = count - 2 * ends;
    for (std::int64_t i = 0; i < ends; ++i) places.push_back(i);
    for (std::int64_t i = 0; i < between; ++i) places.push_back(ends + (n - 2 * ends) * i / between);
    for (std::int64_t i = n - ends; i < n; ++i) places.push_back(i);
    return places;
}

/// A row of the matrix that drops the frequencies from `kept` on of n values: transform, cut and inverse in one, whose
/// sum over frequencies has a closed form.
class Projection {
public:
    Projection(int n, int kept) : m_n(n), m_sums(static_cast<std::size_t>(2 * n)) {
        m_sums[0] = kept - 1;
        for (int d = 1; d < 2 * n; ++d) {
            const double half = std::numbers::pi * d / (2.0 * n);
            m_sums[static_cast<std::size_t>(d)] = (std::sin((2 * kept - 1) * half) / std::sin(half) - 1) / 2;
        }
    }
    double at(std::int64_t i, std::int64_t j) const {
        return (1 + m_sums[static_cast<std::size_t>(std::abs(i - j))] + m_sums[static_cast<std::size_t>(i + j + 1)]) /
               m_n;
    }

private:
    int m_n;
    std::vector<double> m_sums;  ///< over frequencies 1 .. kept - 1 of cos(pi k d / n)
};

}  // namespace

io::Shape outputOf(const Case& asked, const io::Shape& input) {
    io::Shape made = input;
    if (asked.task == Task::product) made.width = asked.columns;
    if (asked.task == Task::bank) made.depth = asked.filters;
    return made;
}

Verifier::Verifier(std::shared_ptr<const io::Grid> input, const Case& asked, const Factor& factor,
                   const std::array<float, 12>& weights)
    : m_input(std::move(input)),
      m_case(asked),
      m_factor(factor),
      m_weights(weights),
      m_output(outputOf(asked, m_input->shape())) {
    pick();
}

void Verifier::pick() {
    const double layers = static_cast<double>(m_output.depth * m_output.channels);
    const auto height = m_output.height, width = m_output.width;
    // Cosines: a column costs the whole picture.
    const bool cosines = m_case.task == Task::dct;
    const double each = cosines ? static_cast<double>(height) : m_case.inner();
    const double values = std::min(kMostWork / each, kMostValues) / layers;
    auto columns = std::min<std::int64_t>(width, std::max<std::int64_t>(kLeastPicked, std::lround(std::sqrt(values))));
    if (cosines) {
        const double affordable = kMostWork / static_cast<double>(m_output.values());
        columns = std::min<std::int64_t>(width, std::max<std::int64_t>(8, std::lround(std::min(affordable, 1e6))));
    }
    const auto most = std::lround(values / static_cast<double>(columns));
    const auto rows = std::min<std::int64_t>(height, std::max<std::int64_t>(kLeastPicked, most));
    if (rows == height && !cosines)
        columns = std::min<std::int64_t>(
            width, std::max<std::int64_t>(columns, std::lround(values / static_cast<double>(rows))));
    m_rows = spread(height, rows);
    m_columns = spread(width, columns);
    for (int c = 0; c < m_output.channels; ++c)
        for (std::int64_t z = 0; z < m_output.depth; ++z)
            for (const auto y : m_rows) m_lines.push_back({y, z, c});
}

void Verifier::productLine(const Line& line, Exact* to) const {
    const io::Shape& s = m_input->shape();
    const auto layer = static_cast<int>(line.channel * s.depth + line.z) % m_factor.layers;
    constexpr float kLeastNormal = std::numeric_limits<float>::min();
    std::fill(to, to + m_columns.size(), Exact{0, 0});
    for (int k = 0; k < m_case.width; ++k) {
        const double a = m_input->value(k, line.y, line.z, line.channel);
        const float* const row = &m_factor.values[m_factor.index(k, 0, layer)];
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const double term = a * static_cast<double>(row[m_columns[i]]);
            to[i].value += term;
            to[i].magnitude += std::fabs(term);
            if (std::fabs(a) < kLeastNormal || std::fabs(row[m_columns[i]]) < kLeastNormal)
                to[i].beyond += std::fabs(term);
        }
    }
}

void Verifier::bankLine(const Line& line, Exact* to) const {
    const io::Shape& s = m_input->shape();
    const int side = m_case.side, before = side / 2;
    std::fill(to, to + m_columns.size(), Exact{0, 0});
    for (int j = 0; j < side; ++j) {
        const std::int64_t y = line.y + j - before;
        if (y < 0 || y >= s.height) continue;
        for (int i = 0; i < side; ++i) {
            const double weight = m_factor.at(static_cast<int>(line.z), j * side + i);
            for (std::size_t k = 0; k < m_columns.size(); ++k) {
                const std::int64_t x = m_columns[k] + i - before;
                if (x < 0 || x >= s.width) continue;
                const double term = weight * m_input->value(x, y, 0, line.channel);
                to[k].value += term;
                to[k].magnitude += std::fabs(term);
            }
        }
    }
}

void Verifier::colourLine(const Line& line, Exact* to) const {
    for (const auto x : m_columns) {
        Exact e{0, 0};
        for (int k = 0; k < 4; ++k) {
            const double weight = m_weights[static_cast<std::size_t>(4 * line.channel + k)];
            const double term = weight * (k < 3 ? m_input->value(x, line.y, line.z, k) : 1);
            e.value += term;
            e.magnitude += std::fabs(term);
        }
        *to++ = e;
    }
}

void Verifier::alphaLine(const Line& line, Exact* to) const {
    for (const auto x : m_columns) *to++ = {m_input->value(x, line.y, line.z, line.channel), 0};
}

/// The roundings of four products in a row are taken as independent: 8 u sqrt(K) of the longest vector that an inner
/// product of K terms has to do with, where u is half a unit in the last place. (Their worst case, K u, comes to more
/// than a picture's own values. Higham and Mary, A new approach to probabilistic rounding error analysis, 2019.) A
/// frequency's vector is a whole row or column of sums, and 2 / n is the most that its square has in a value.
void Verifier::cosineLayer(std::int64_t z, int channel, Exact* to, const std::stop_token& stop) const {
    const int width = m_case.width, height = m_case.height;
    const Projection across(width, m_case.keptX), down(height, m_case.keptY);
    const std::size_t picked = m_columns.size();
    std::vector<double> sums(static_cast<std::size_t>(height) * picked),
        matrix(static_cast<std::size_t>(width) * picked);
    for (int x = 0; x < width; ++x)
        for (std::size_t k = 0; k < picked; ++k)
            matrix[static_cast<std::size_t>(x) * picked + k] = across.at(x, m_columns[k]);
    std::vector<double> ofRow(static_cast<std::size_t>(height)), ofColumn(static_cast<std::size_t>(width));
    tbb::parallel_for(0, height, [&](int y) {
        if (stop.stop_requested()) return;
        double* const row = &sums[static_cast<std::size_t>(y) * picked];
        for (int x = 0; x < width; ++x) {
            const double v = m_input->value(x, y, z, channel);
            ofRow[static_cast<std::size_t>(y)] += v * v;
            for (std::size_t k = 0; k < picked; ++k) row[k] += v * matrix[static_cast<std::size_t>(x) * picked + k];
        }
    });
    double all = 0;
    for (int y = 0; y < height; ++y) {
        if (stop.stop_requested()) return;
        all += ofRow[static_cast<std::size_t>(y)];
        for (int x = 0; x < width; ++x) {
            const double v = m_input->value(x, y, z, channel);
            ofColumn[static_cast<std::size_t>(x)] += v * v;
        }
    }
    const double longest =
        std::max({*std::max_element(ofRow.begin(), ofRow.end()), *std::max_element(ofColumn.begin(), ofColumn.end()),
                  all * std::min(1.0, 2.0 / std::min(width, height))});
    const double length = std::sqrt(longest);
    tbb::parallel_for(std::size_t{0}, m_rows.size(), [&](std::size_t r) {
        if (stop.stop_requested()) return;
        Exact* const line = to + r * picked;
        std::fill(line, line + picked, Exact{0, length});
        for (int y = 0; y < height; ++y) {
            const double weight = down.at(m_rows[r], y);
            for (std::size_t k = 0; k < picked; ++k)
                line[k].value += weight * sums[static_cast<std::size_t>(y) * picked + k];
        }
    });
}

void Verifier::compute(std::stop_token stop) const {
    if (!m_exact.empty()) return;
    const std::size_t picked = m_columns.size();
    std::vector<Exact> exact(m_lines.size() * picked);
    if (m_case.task == Task::dct) {
        for (std::size_t i = 0; i < m_lines.size() && !stop.stop_requested(); i += m_rows.size())
            if (!kept(m_lines[i])) cosineLayer(m_lines[i].z, m_lines[i].channel, &exact[i * picked], stop);
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            if (kept(m_lines[i])) alphaLine(m_lines[i], &exact[i * picked]);
    } else {
        tbb::parallel_for(std::size_t{0}, m_lines.size(), [&](std::size_t i) {
            if (stop.stop_requested()) return;
            Exact* const to = &exact[i * picked];
            if (m_case.task == Task::product)
                productLine(m_lines[i], to);
            else if (m_case.task == Task::bank)
                bankLine(m_lines[i], to);
            else if (kept(m_lines[i]))
                alphaLine(m_lines[i], to);
            else
                colourLine(m_lines[i], to);
        });
    }
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
    m_exact = std::move(exact);
}

double Verifier::roundingOf(const Exact& exact, const Bound& bound) const {
    constexpr double kEpsilon = std::numeric_limits<float>::epsilon(), kTiny = std::numeric_limits<float>::denorm_min();
    const double terms = m_case.inner();
    if (m_case.task == Task::dct) {
        // Eight times half an eps a root, and a product's lack likewise in each of the four.
        const double roots =
            std::sqrt(m_case.width) + std::sqrt(m_case.height) + std::sqrt(m_case.keptX) + std::sqrt(m_case.keptY);
        return (4 * bound.factor * roots + 8 * bound.lacks) * kEpsilon * exact.magnitude + terms * kTiny +
               bound.absolute;
    }
    const double flushed = bound.flushes ? exact.beyond + std::numeric_limits<float>::min() : 0;
    return (bound.factor * (terms + 1) + bound.lacks) * kEpsilon * exact.magnitude + bound.factor * terms * kTiny +
           bound.absolute + flushed;
}

Verification Verifier::verify(const io::Grid& output, const Bound& bound, std::stop_token stop) const {
    if (!(output.shape() == m_output)) {
        Verification wrong;
        wrong.mismatches = m_output.values();
        wrong.firstMismatch = "extents: " + std::to_string(output.shape().width) + " x " +
                              std::to_string(output.shape().height) + " instead of " + std::to_string(m_output.width) +
                              " x " + std::to_string(m_output.height);
        return wrong;
    }
    const std::lock_guard lock(m_mutex);
    compute(std::move(stop));
    ImageVerifier judge(output);
    auto exact = m_exact.begin();
    for (const Line& line : m_lines) {
        for (const auto x : m_columns) {
            const Exact& e = *exact++;
            const ImageVerifier::Place place{x, line.y, line.z};
            if (kept(line)) judge.kept(place, line.channel, e.value);
            // Where single precision may overflow on the way, there is nothing to compare.
            else if (!(std::isfinite(e.value) && e.magnitude > double{std::numeric_limits<float>::max()}))
                judge.computed(place, line.channel, e.value, roundingOf(e, bound));
        }
    }
    return judge.result();
}

}  // namespace warplens::gpu::product
