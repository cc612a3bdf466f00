// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/named_filters.hpp"

#include "gpu/families/convolution/filter.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>

namespace warplens::gpu::convolution {
namespace {

using Weights = std::vector<double>;

std::size_t sideOf(int radius) { return static_cast<std::size_t>(2 * radius + 1); }

Weights gaussianRow(const NamedFilter& f) {
    const double sigma = f.sigma > 0 ? f.sigma : defaultSigma(f.radius);
    Weights row(sideOf(f.radius));
    for (int i = -f.radius; i <= f.radius; ++i)
        row[static_cast<std::size_t>(i + f.radius)] = std::exp(-0.5 * i * i / (sigma * sigma));
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& w : row) w /= sum;
    return row;
}

Weights outer(const Weights& column, const Weights& row) {
    Weights all;
    for (const double c : column) {
        for (const double r : row) all.push_back(c * r);
    }
    return all;
}

Weights square(const NamedFilter& f, double value) { return Weights(sideOf(f.radius) * sideOf(f.radius), value); }

Weights impulse(const NamedFilter& f) {
    auto all = square(f, 0);
    all[all.size() / 2] = 1;
    return all;
}

Weights unsharp(const NamedFilter& f) {
    const auto row = gaussianRow(f);
    auto all = outer(row, row);
    for (double& w : all) w *= -f.amount;
    all[all.size() / 2] += 1 + f.amount;
    return all;
}

/// Laplacian of Gaussian, shifted so that the weights sum to 0 and a flat picture gives 0.
Weights laplacianOfGaussian(const NamedFilter& f) {
    const double sigma = f.sigma > 0 ? f.sigma : defaultSigma(f.radius);
    const double s2 = sigma * sigma;
    Weights all;
    for (int y = -f.radius; y <= f.radius; ++y) {
        for (int x = -f.radius; x <= f.radius; ++x) {
            const double r2 = x * x + y * y;
            all.push_back((r2 - 2 * s2) / (2 * std::numbers::pi * s2 * s2 * s2) * std::exp(-0.5 * r2 / s2));
        }
    }
    const double mean = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
    for (double& w : all) w -= mean;
    return all;
}

/// A line through the centre, drawn with linear coverage, that sums to 1. The y axis of a picture points down.
Weights motion(const NamedFilter& f) {
    auto all = square(f, 0);
    const double radians = f.angle * std::numbers::pi / 180;
    const double dx = std::cos(radians), dy = -std::sin(radians);
    const auto side = static_cast<int>(sideOf(f.radius));
    const int steps = std::max(1, 16 * f.radius);
    for (int k = -steps; k <= steps; ++k) {
        const double t = static_cast<double>(f.radius) * k / steps;
        // Multiples of 90 degrees must not leave 1e-17 in neighbouring cells.
        const auto clean = [](double v) { return std::fabs(v - std::round(v)) < 1e-9 ? std::round(v) : v; };
        const double x = clean(f.radius + t * dx), y = clean(f.radius + t * dy);
        const int x0 = std::clamp(static_cast<int>(std::floor(x)), 0, side - 1),
                  y0 = std::clamp(static_cast<int>(std::floor(y)), 0, side - 1);
        const int x1 = std::min(x0 + 1, side - 1), y1 = std::min(y0 + 1, side - 1);
        const double fx = x - x0, fy = y - y0;
        const auto add = [&](int cx, int cy, double w) { all[static_cast<std::size_t>(cy * side + cx)] += w; };
        add(x0, y0, (1 - fx) * (1 - fy));
        add(x1, y0, fx * (1 - fy));
        add(x0, y1, (1 - fx) * fy);
        add(x1, y1, fx * fy);
    }
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    for (double& w : all) w /= sum;
    return all;
}

Weights sharpen(const NamedFilter& f) {
    const double a = f.amount;
    return {0, -a, 0, -a, 1 + 4 * a, -a, 0, -a, 0};
}

Weights transposed(const Weights& w) { return {w[0], w[3], w[6], w[1], w[4], w[7], w[2], w[5], w[8]}; }

const Weights kSobel{-1, 0, 1, -2, 0, 2, -1, 0, 1};
const Weights kScharr{-3, 0, 3, -10, 0, 10, -3, 0, 3};
const Weights kPrewitt{-1, 0, 1, -1, 0, 1, -1, 0, 1};

const std::vector<std::pair<std::string, std::function<Weights(const NamedFilter&)>>>& table() {
    static const std::vector<std::pair<std::string, std::function<Weights(const NamedFilter&)>>> rows{
        {"identity", impulse},
        {"box",
         [](const NamedFilter& f) {
             return square(f, 1.0 / static_cast<double>(sideOf(f.radius) * sideOf(f.radius)));
         }},
        {"gaussian", [](const NamedFilter& f) { return outer(gaussianRow(f), gaussianRow(f)); }},
        {"sharpen", sharpen},
        {"unsharp", unsharp},
        {"emboss", [](const NamedFilter&) { return Weights{-2, -1, 0, -1, 1, 1, 0, 1, 2}; }},
        {"laplacian", [](const NamedFilter&) { return Weights{0, 1, 0, 1, -4, 1, 0, 1, 0}; }},
        {"laplacian4", [](const NamedFilter&) { return Weights{0, 1, 0, 1, -4, 1, 0, 1, 0}; }},
        {"laplacian8", [](const NamedFilter&) { return Weights{1, 1, 1, 1, -8, 1, 1, 1, 1}; }},
        {"log", laplacianOfGaussian},
        {"sobel_x", [](const NamedFilter&) { return kSobel; }},
        {"sobel_y", [](const NamedFilter&) { return transposed(kSobel); }},
        {"scharr_x", [](const NamedFilter&) { return kScharr; }},
        {"scharr_y", [](const NamedFilter&) { return transposed(kScharr); }},
        {"prewitt_x", [](const NamedFilter&) { return kPrewitt; }},
        {"prewitt_y", [](const NamedFilter&) { return transposed(kPrewitt); }},
        {"motion", motion},
    };
    return rows;
}

}  // namespace

double defaultSigma(int radius) { return 0.3 * (radius - 1) + 0.8; }

const std::vector<std::string>& filterNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const auto& row : table()) list.push_back(row.first);
        list.emplace_back("custom");
        return list;
    }();
    return names;
}

std::vector<double> namedFilter(const std::string& name, const NamedFilter& shape, int& width, int& height) {
    const auto row = std::find_if(table().begin(), table().end(), [&](const auto& r) { return r.first == name; });
    auto weights = row->second(shape);
    width = height = static_cast<int>(std::lround(std::sqrt(static_cast<double>(weights.size()))));
    return weights;
}

std::vector<double> namedFactor(const std::string& name, const Along& axis) {
    if (name == "box") return Weights(sideOf(axis.radius), 1.0 / static_cast<double>(sideOf(axis.radius)));
    if (name == "gaussian") return gaussianRow({.radius = axis.radius, .sigma = axis.sigma});
    if (name == "identity") {
        Weights all(sideOf(axis.radius), 0);
        all[all.size() / 2] = 1;
        return all;
    }
    return {};
}

std::vector<double> volumeLaplacian() {
    Weights all(27, 0);
    for (const std::size_t neighbour : {4, 10, 12, 14, 16, 22}) all[neighbour] = 1;
    all[13] = -6;
    return all;
}

}  // namespace warplens::gpu::convolution
