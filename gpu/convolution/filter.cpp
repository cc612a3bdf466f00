// SPDX-License-Identifier: Apache-2.0
#include "gpu/convolution/filter.hpp"

#include "gpu/convolution/named_filters.hpp"
#include "gpu/convolution/parameters.hpp"
#include "gpu/error.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

namespace warplens::gpu::convolution {
namespace {

std::string readText(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::string names;
        for (const auto& name : filterNames()) names += (names.empty() ? "" : ", ") + name;
        throw Error(Error::Kind::argument,
                    "filter '" + path + "' is neither a named filter nor a readable file: choose one of " + names);
    }
    // The largest matrix is 3,969 values; whatever is longer is something else.
    std::string text(1 << 20, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

Filter rounded(const std::vector<double>& weights, int width, int height, const std::string& where) {
    Filter filter{width, height, {}};
    filter.weights.reserve(weights.size());
    for (const double w : weights) {
        const auto value = static_cast<float>(w);
        if (!std::isfinite(value)) throw Error(Error::Kind::argument, where + ": a weight is not finite: use finite numbers");
        filter.weights.push_back(value);
    }
    return filter;
}

}  // namespace

double Filter::sum() const {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

bool Filter::hasNegative() const {
    return std::any_of(weights.begin(), weights.end(), [](float w) { return w < 0; });
}

Filter parseMatrix(const std::string& text, const std::string& where) {
    std::vector<double> weights;
    int width = 0, height = 0;
    std::string lines = text;
    std::replace(lines.begin(), lines.end(), ';', '\n');
    std::istringstream rows(lines);
    for (std::string line; std::getline(rows, line);) {
        if (const auto comment = line.find('#'); comment != std::string::npos) line.resize(comment);
        std::replace_if(line.begin(), line.end(), [](char c) { return c == ',' || c == '\t' || c == '\r'; }, ' ');
        std::istringstream cells(line);
        int count = 0;
        for (std::string cell; cells >> cell; ++count) {
            char* end = nullptr;
            const double value = std::strtod(cell.c_str(), &end);
            if (end != cell.c_str() + cell.size() || !std::isfinite(value)) {
                throw Error(Error::Kind::argument, where + ": row " + std::to_string(height + 1) + ", column " +
                                                       std::to_string(count + 1) + ": '" + cell.substr(0, 40) +
                                                       "' is not a finite number");
            }
            if (count >= kMaxFilterSide || height >= kMaxFilterSide) {
                throw Error(Error::Kind::argument, where + ": the matrix is larger than 63 x 63: use a smaller filter");
            }
            weights.push_back(value);
        }
        if (count == 0) continue;
        if (height > 0 && count != width) {
            throw Error(Error::Kind::argument, where + ": row " + std::to_string(height + 1) + " has " + std::to_string(count) +
                                                   " values, the rows above have " + std::to_string(width));
        }
        width = count;
        ++height;
    }
    if (height == 0) throw Error(Error::Kind::argument, where + ": no matrix in it: give rows of numbers");
    if (width % 2 == 0 || height % 2 == 0) {
        throw Error(Error::Kind::argument, where + ": the matrix is " + std::to_string(width) + " x " + std::to_string(height) +
                                               "; width and height must be odd, so that it has a centre");
    }
    return rounded(weights, width, height, where);
}

Filter makeFilter(const ParameterValues& values) {
    const auto& list = parameters();
    const std::string& name = textOf(list, values, "filter");
    const auto& names = filterNames();
    Filter filter;
    if (name == "custom") {
        filter = parseMatrix(textOf(list, values, "matrix"), "matrix");
    } else if (std::find(names.begin(), names.end(), name) == names.end()) {
        filter = parseMatrix(readText(name), name);
    } else {
        const NamedFilter shape{.radius = static_cast<int>(integerOf(list, values, "radius")),
                                .sigma = realOf(list, values, "sigma"),
                                .amount = realOf(list, values, "amount"),
                                .angle = realOf(list, values, "angle")};
        int width = 0, height = 0;
        const auto weights = namedFilter(name, shape, width, height);
        filter = rounded(weights, width, height, "filter " + name);
    }
    if (flagOf(list, values, "normalise")) {
        const double sum = filter.sum();
        // A filter of differences sums to 0 but for rounding; dividing by that would blow it up.
        double size = 0;
        for (const float w : filter.weights) size += std::fabs(w);
        if (std::fabs(sum) > 1e-6 * size) {
            for (float& w : filter.weights) w = static_cast<float>(w / sum);
        }
    }
    return filter;
}

}  // namespace warplens::gpu::convolution
