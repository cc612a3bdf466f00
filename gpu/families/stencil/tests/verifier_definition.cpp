// SPDX-License-Identifier: Apache-2.0
// Steps one after another: each adds (taps + 1) eps of the sum of its terms' magnitudes, and what was off before comes
// along. A cell of a face keeps its value.
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace warplens::gpu::testing::stencil {
namespace {

constexpr std::int64_t kSteps = 2;

ParameterValues complete(const io::Grid& input, ParameterValues values) {
    fallTo(values, "iterations", kSteps);
    // Given coefficients are the stencil, whatever it is called.
    const auto name = values.find("stencil");
    if (name != values.end() && std::get<std::string>(name->second) == "custom")
        fallTo(values, "coefficients",
               std::string(input.shape().depth > 1 ? "0.3 0.1 0.2 -0.15 0.25 0.05 0.35" : "0.4 0.1 0.2 -0.15 0.25"));
    return values;
}

struct Neighbour {
    std::array<std::int64_t, 3> step;
    double weight;
};

/// The centre first, then the axes one after the other, backwards before forwards.
std::vector<Neighbour> along(int axes, const std::vector<double>& weights) {
    std::vector<Neighbour> all{{{0, 0, 0}, static_cast<float>(weights[0])}};
    for (std::size_t i = 1; i < static_cast<std::size_t>(1 + 2 * axes); ++i) {
        all.push_back({{0, 0, 0}, static_cast<float>(weights[std::min(i, weights.size() - 1)])});
        all.back().step[(i - 1) / 2] = i % 2 == 1 ? -1 : 1;
    }
    return all;
}

std::vector<Neighbour> neighboursOf(const Posed& posed, int& axes) {
    const std::string &name = posed.text("stencil"), &dimensions = posed.text("dimensions");
    axes = dimensions != "auto" ? dimensions.front() - '0' : posed.input->shape().depth > 1 ? 3 : 2;
    const double d = axes;
    if (name == "heat") return along(axes, {1 - 2 * d * 0.1, 0.1});
    if (name == "jacobi") return along(axes, {0, 1 / (2 * d)});
    if (name == "smoothing") return along(axes, {0.5, 1 / (4 * d)});
    if (name == "sharpening") return along(axes, {1 + 2 * d * 0.1, -0.1});
    if (name == "custom")
        return axes == 3 ? along(3, {0.3, 0.1, 0.2, -0.15, 0.25, 0.05, 0.35}) : along(2, {0.4, 0.1, 0.2, -0.15, 0.25});
    if (name == "blur") return along(axes = 1, {0.5, 0.25});
    if (name != "weights27") return {};
    axes = 3;
    std::vector<Neighbour> all;
    for (std::int64_t i = 0; i < 27; ++i) {
        const std::array<std::int64_t, 3> step{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        const auto off = std::ranges::count_if(step, [](std::int64_t n) { return n != 0; });
        all.push_back({step, std::ldexp(1.0, 3 - static_cast<int>(off)) / 64});
    }
    return all;
}

struct Cell {
    double value = 0, bound = 0;
};

std::optional<Definition> of(const Posed& posed) {
    int axes = 0;
    const auto neighbours = neighboursOf(posed, axes);
    if (neighbours.empty()) return std::nullopt;
    const io::Shape s = posed.input->shape();
    const int stepped = s.channels == 4 && posed.text("alpha") == "keep" ? 3 : s.channels;
    const auto index = [s](const Spot& p) {
        return static_cast<std::size_t>(((p.z * s.height + p.y) * s.width + p.x) * s.channels + p.c);
    };
    std::vector<Cell> cells(static_cast<std::size_t>(s.values()));
    const auto visit = [&](auto f) {
        for (std::int64_t i = 0; i < s.values(); ++i)
            f(Spot{i / s.channels % s.width, i / s.channels / s.width % s.height, i / s.channels / s.width / s.height,
                   static_cast<int>(i % s.channels)});
    };
    visit([&](const Spot& p) { cells[index(p)].value = posed.at(p); });
    const auto taps = static_cast<double>(neighbours.size()), gamma = (taps + 1) * kEps;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const auto before = cells;
        visit([&](const Spot& p) {
            const bool face = p.x == 0 || p.x == s.width - 1 || (axes > 1 && (p.y == 0 || p.y == s.height - 1)) ||
                              (axes > 2 && (p.z == 0 || p.z == s.depth - 1));
            if (face || p.c >= stepped) return;
            Cell sum{0, taps * kTiny};
            for (const Neighbour& n : neighbours) {
                const Cell& from = before[index({p.x + n.step[0], p.y + n.step[1], p.z + n.step[2], p.c})];
                sum.value += n.weight * from.value;
                sum.bound += std::fabs(n.weight) * ((1 + gamma) * from.bound + gamma * std::fabs(from.value));
            }
            cells[index(p)] = sum;
        });
    }
    return Definition{.picture =
                          [cells, index](const Variant& variant, const Spot& p) {
                              const Cell& cell = cells[index(p)];
                              return within(cell.value, (isLibrary(variant) ? 2 : 1) * cell.bound);
                          },
                      // How the steps went is told, not checked.
                      .number = [](auto&&...) { return notVerified(); }};
}

[[maybe_unused]] const bool kKnown = defines("stencil", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::stencil
