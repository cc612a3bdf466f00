// SPDX-License-Identifier: Apache-2.0
// A row times the pixels: (terms + 1) roundings of the sum of its terms' magnitudes. A solution: how far it moves with
// what the row says is left of the residual, and with the roundings of its steps.
#include "tests/gpu/verifier_definition.hpp"

#include "gpu/core/evolution.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace warplens::gpu::testing::sparse {
namespace {

/// Unknown are the pixels from (2, 1) on that have all their neighbours in the picture.
bool inMask(const io::Shape& s, std::int64_t x, std::int64_t y, std::int64_t z) {
    return x > 1 && y > 0 && x < s.width - 1 && y < s.height - 1 && (s.depth == 1 || (z > 0 && z < s.depth - 1));
}

Parameter::Value maskOf(const io::Shape& s) {
    auto mask = std::make_shared<io::Grid>(io::Shape{s.width, s.height, s.depth, 1}, io::PixelType::u8);
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x) mask->setValue(x, y, z, 0, inMask(s, x, y, z) ? 255 : 0);
    return std::make_shared<const NamedGrid>(NamedGrid{"mask", std::move(mask)});
}

ParameterValues complete(const io::Grid& input, ParameterValues values) {
    const std::string task = values.contains("task") ? std::get<std::string>(values.at("task")) : "product";
    if (task == "inpaint" || task == "clone") fallTo(values, "mask", maskOf(input.shape()));
    if (task == "clone") {
        fallTo(values, "source", noisePicture(input.shape(), input.type(), 91));
        fallTo(values, "at", std::string("1,1"));
    }
    // Weights that differ, whatever the type's range.
    if (input.type() != io::PixelType::f32) fallTo(values, "k", input.type() == io::PixelType::u8 ? 100.0 : 30000.0);
    return values;
}

template <class F>
void forNeighbours(const io::Shape& s, const Spot& p, F f) {
    for (const auto& [dx, dy, dz] : {std::array{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}) {
        const Spot n{p.x + dx, p.y + dy, p.z + dz, p.c};
        if (n.x >= 0 && n.y >= 0 && n.z >= 0 && n.x < s.width && n.y < s.height && n.z < s.depth) f(n);
    }
}

Expected rowWithin(const Terms& sum, double more = 0) {
    return within(sum.value, kHalfEps * ((sum.count + 1) * sum.magnitude + more) + sum.count * kLeastNormal);
}

Expected laplacianAt(const Posed& posed, const Spot& p) {
    const io::Shape& s = posed.input->shape();
    Terms sum;
    forNeighbours(s, p, [&](const Spot& n) { sum.add(-1, posed.at(n)); });
    const int all = s.depth > 1 ? 6 : 4;
    if (sum.count < all) return within(posed.at(p), 0);
    sum.add(all, posed.at(p));
    return rowWithin(sum);
}

/// A step of the size `step` along exp(-(d / k)^2) d, d being the differences to the neighbours.
Expected diffusedAt(const Posed& posed, const Spot& p) {
    const double own = posed.at(p), step = static_cast<float>(posed.real("step")),
                 k = static_cast<float>(posed.real("k"));
    Terms sum;
    double weights = 0, more = 0;
    forNeighbours(posed.input->shape(), p, [&](const Spot& n) {
        const double t = (posed.at(n) - own) / k, weight = step * std::exp(-t * t);
        weights += weight;
        if (weight != 0) sum.add(weight, posed.at(n));
        // The exponent is rounded, and the exponential by two units.
        if (!std::isinf(t))
            more += ((8 * t * t + 8) * weight + kLeastNormal) * (std::fabs(posed.at(n)) + std::fabs(own));
    });
    sum.add(1 - weights, own);
    sum.magnitude += 2 * weights * std::fabs(own);
    return rowWithin(sum, more);
}

Expected filteredAt(const Posed& posed, const Spot& p) {
    const io::Shape& s = posed.input->shape();
    constexpr std::array<double, 5> kBinomial{1, 4, 6, 4, 1};
    Terms sum;
    for (std::int64_t t = 0; t < 25; ++t) {
        const Spot n{p.x + t % 5 - 2, p.y + t / 5 - 2, p.z, p.c};
        if (n.x >= 0 && n.y >= 0 && n.x < s.width && n.y < s.height)
            sum.add(kBinomial[static_cast<std::size_t>(t % 5)] * kBinomial[static_cast<std::size_t>(t / 5)] / 256,
                    posed.at(n));
    }
    return rowWithin(sum);
}

/// Laplace's equation of what the unknowns of a channel lie above the guide, with a solution of few by elimination.
class Equations {
public:
    Equations(const Posed& posed, int channel) : m_posed(posed) {
        const io::Shape& s = posed.input->shape();
        std::map<std::int64_t, std::size_t> numbers;
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y)
                for (std::int64_t x = 0; x < s.width; ++x)
                    if (inMask(s, x, y, z)) {
                        numbers[indexOf({x, y, z})] = m_unknowns.size();
                        m_unknowns.push_back({x, y, z, channel});
                    }
        const std::size_t count = m_unknowns.size();
        m_matrix.assign(count, std::vector<double>(count));
        right.resize(count);
        sizes.resize(count);
        known.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            forNeighbours(s, m_unknowns[i], [&](const Spot& n) {
                m_matrix[i][i] += 1;
                sizes[i] += std::fabs(posed.at(n)) + (covered(n) ? std::fabs(guide(n)) : 0);
                const auto other = numbers.find(indexOf(n));
                if (other != numbers.end())
                    m_matrix[i][other->second] -= 1;
                else
                    ++known[i], right[i] += posed.at(n) - guide(covered(n) ? n : m_unknowns[i]);
            });
    }
    /// What lies below the unknowns: nothing, or the source, whose first pixel is on (1, 1).
    double guide(const Spot& p) const {
        return cloned() ? m_posed.picture("source").value(p.x - 1, p.y - 1, p.z, p.c) : 0;
    }
    std::vector<double> solve(std::vector<double> b) const {
        auto m = m_matrix;
        const std::size_t n = b.size();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j) {
                const double times = m[j][i] / m[i][i];
                for (std::size_t k = i; k < n; ++k) m[j][k] -= times * m[i][k];
                b[j] -= times * b[i];
            }
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t k = i + 1; k < n; ++k) b[i] -= m[i][k] * b[k];
            b[i] /= m[i][i];
        }
        return b;
    }
    const std::vector<Spot>& unknowns() const { return m_unknowns; }

    /// Of each equation: its right side, what its known terms are in magnitude, and how many neighbours are known.
    std::vector<double> right, sizes, known;

private:
    std::int64_t indexOf(const Spot& p) const {
        const io::Shape& s = m_posed.input->shape();
        return (p.z * s.height + p.y) * s.width + p.x;
    }
    bool cloned() const { return m_posed.text("task") == "clone"; }
    bool covered(const Spot& p) const { return !cloned() || (p.x > 0 && p.y > 0); }

    const Posed& m_posed;
    std::vector<Spot> m_unknowns;
    std::vector<std::vector<double>> m_matrix;
};

Definition solution(const Posed& posed, int channels) {
    const auto evolution = evolutionOf(posed.result.tables);
    std::vector<Equations> all;
    double first = 0;
    for (int c = 0; c < channels; ++c) {
        all.emplace_back(posed, c);
        for (const double b : all.back().right) first += b * b;
    }
    const double claimed = evolution->residuals.back().value * std::sqrt(first) * 1.01;
    const double roundings = kHalfEps * (16 + 2 * static_cast<double>(evolution->iterations));
    std::map<std::array<std::int64_t, 4>, Expected> expected;
    for (const Equations& equations : all) {
        const auto exact = equations.solve(equations.right),
                   moved = equations.solve(std::vector<double>(exact.size(), 1));
        double largest = 0;
        for (std::size_t i = 0; i < exact.size(); ++i)
            if (equations.known[i] > 0) largest = std::max(largest, std::fabs(equations.right[i]) / equations.known[i]);
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const Spot& p = equations.unknowns()[i];
            expected[{p.x, p.y, p.z, p.c}] = within(
                exact[i] + equations.guide(p), moved[i] * (claimed + roundings * (8 * largest + equations.sizes[i])));
        }
    }
    return {.picture =
                [&posed, expected](const Variant&, const Spot& p) {
                    const auto found = expected.find({p.x, p.y, p.z, p.c});
                    return found == expected.end() ? within(posed.at(p), 0) : found->second;
                },
            // What the row says of its way is what the solution is held against.
            .number = [](auto&&...) { return notVerified(); }};
}

std::optional<Definition> of(const Posed& posed) {
    const std::string &task = posed.text("task"), &matrix = posed.text("matrix");
    const int channels =
        posed.input->shape().channels == 4 && posed.text("alpha") == "keep" ? 3 : posed.input->shape().channels;
    if (task == "inpaint" || task == "clone") return solution(posed, channels);
    const auto row = matrix == "laplacian"   ? &laplacianAt
                     : matrix == "diffusion" ? &diffusedAt
                     : matrix == "filter"    ? &filteredAt
                                             : nullptr;
    if (task != "product" || row == nullptr) return std::nullopt;
    return Definition{.picture =
                          [&posed, row, channels](const Variant&, const Spot& p) {
                              return p.c >= channels ? within(posed.at(p), 0) : row(posed, p);
                          },
                      // Formats and what they take.
                      .number = [](auto&&...) { return notVerified(); }};
}

[[maybe_unused]] const bool kKnown = defines("sparse", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::sparse
