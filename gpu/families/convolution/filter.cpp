// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/filter.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/convolution/named_filters.hpp"
#include "gpu/families/convolution/parameters.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <sstream>

namespace warplens::gpu::convolution {
namespace {

std::string matrixFile(const std::string& path) {
    // The largest matrix is 3,969 values; whatever is longer is something else.
    constexpr std::int64_t kMostBytes = 1 << 20;
    std::error_code ignored;
    try {
        if (std::filesystem::exists(path, ignored)) return io::readText(path, kMostBytes);
    } catch (const io::Error& error) {
        throw Error(Error::Kind::argument, std::string("filter ") + error.what());
    }
    std::string names;
    for (const auto& name : filterNames()) names += (names.empty() ? "" : ", ") + name;
    throw Error(Error::Kind::argument,
                "filter '" + path + "' is neither a named filter nor a file: choose one of " + names);
}

Filter rounded(const std::vector<double>& weights, int width, int height, int depth, const std::string& where) {
    Filter filter{width, height, {}, depth};
    filter.weights.reserve(weights.size());
    for (const double w : weights) {
        const auto value = static_cast<float>(w);
        if (!std::isfinite(value))
            throw Error(Error::Kind::argument, where + ": a weight is not finite: use finite numbers");
        filter.weights.push_back(value);
    }
    return filter;
}

/// A row ends with its line or at a semicolon; the end of a line right behind a semicolon ends no second row.
std::vector<std::string> rowsOf(const std::string& text) {
    std::vector<std::string> rows(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != ';' && text[i] != '\n') {
            rows.back() += text[i];
            continue;
        }
        if (const auto next = text.find_first_not_of(" \t\r", i + 1);
            text[i] == ';' && next != std::string::npos && text[next] == '\n')
            i = next;
        rows.emplace_back();
    }
    return rows;
}

/// Takes a matrix in, row by row, and checks that it is a box.
class MatrixReader {
public:
    MatrixReader(const std::string& where, int dimensions)
        : m_where(where), m_volume(dimensions == 3), m_most(m_volume ? kMaxBoxSide : kMaxFilterSide) {}

    void row(std::string line) {
        const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
        if (const auto comment = line.find('#'); comment != std::string::npos) line.resize(comment);
        std::replace_if(
            line.begin(), line.end(), [](char c) { return c == ',' || c == '\t' || c == '\r'; }, ' ');
        std::istringstream cells(line);
        int count = 0;
        for (std::string cell; cells >> cell; ++count) add(cell, count);
        if (count > 0) {
            if (m_width > 0 && m_width != count) {
                refuse(here() + " has " + std::to_string(count) + " values, the rows above have " +
                       std::to_string(m_width));
            }
            m_width = count;
            ++m_rows;
        } else if (blank && m_volume) {
            endSlice();
        }
    }

    Filter filter() {
        endSlice();
        if (m_depth == 0) refuse("no matrix in it: give rows of numbers");
        if (m_width % 2 == 0 || m_height % 2 == 0 || m_depth % 2 == 0) {
            refuse("the matrix is " + std::to_string(m_width) + " x " + std::to_string(m_height) +
                   (m_volume ? " x " + std::to_string(m_depth) + "; its sides must be odd, so that it has a centre"
                             : "; width and height must be odd, so that it has a centre"));
        }
        return rounded(m_weights, m_width, m_height, m_depth, m_where);
    }

private:
    [[noreturn]] void refuse(const std::string& why) const { throw Error(Error::Kind::argument, m_where + ": " + why); }
    std::string here() const {
        return (m_volume ? "slice " + std::to_string(m_depth + 1) + ", row " : "row ") + std::to_string(m_rows + 1);
    }
    void add(const std::string& cell, int column) {
        char* end = nullptr;
        const double value = std::strtod(cell.c_str(), &end);
        if (end != cell.c_str() + cell.size() || !std::isfinite(value)) {
            refuse(here() + ", column " + std::to_string(column + 1) + ": '" + cell.substr(0, 40) +
                   "' is not a finite number");
        }
        if (column >= m_most || m_rows >= m_most || m_depth >= m_most) {
            refuse(m_volume ? "the matrix is larger than 11 x 11 x 11: use a smaller one, or a gaussian or a box, "
                              "which may be larger"
                            : "the matrix is larger than 63 x 63: use a smaller filter");
        }
        m_weights.push_back(value);
    }
    void endSlice() {
        if (m_rows == 0) return;
        if (m_depth > 0 && m_rows != m_height) {
            refuse("slice " + std::to_string(m_depth + 1) + " has " + std::to_string(m_rows) +
                   " rows, the slices before it have " + std::to_string(m_height));
        }
        m_height = m_rows;
        m_rows = 0;
        ++m_depth;
    }

    const std::string& m_where;
    bool m_volume;
    int m_most;
    int m_width = 0, m_height = 0, m_depth = 0;
    int m_rows = 0;  ///< of the slice being read
    std::vector<double> m_weights;
};

/// What a named filter is along each axis. A sigma in mm is divided by the axis's spacing, and then the radius is that
/// along the finest axis: the others get as many voxels as reach as far.
std::array<Along, 3> alongAxes(const NamedFilter& shape, bool millimetres, const std::array<double, 3>& spacing) {
    std::array<Along, 3> axes;
    const double finest = *std::min_element(spacing.begin(), spacing.end());
    for (std::size_t axis = 0; axis < 3; ++axis) {
        axes[axis] = {.radius = shape.radius, .sigma = shape.sigma};
        if (!millimetres) continue;
        const double share = finest / spacing[axis];
        // A voxel more than a rounding error is a voxel more.
        axes[axis].radius = static_cast<int>(std::ceil(shape.radius * share - 1e-6));
        const double sigma = shape.sigma > 0 ? shape.sigma : defaultSigma(shape.radius) * finest;
        axes[axis].sigma = sigma / spacing[axis];
    }
    return axes;
}

/// A named filter in three dimensions.
Filter volumeFilter(const std::string& name, const std::array<Along, 3>& axes) {
    const std::string where = "filter " + name;
    if (name == "laplacian") return rounded(volumeLaplacian(), 3, 3, 3, where);
    std::array<std::vector<double>, 3> factors;
    Filter filter;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        factors[axis] = namedFactor(name, axes[axis]);
        if (factors[axis].empty()) {
            throw Error(Error::Kind::argument,
                        where +
                            " has two dimensions only: with 3 dimensions choose identity, box, gaussian, "
                            "laplacian, custom or a file with a matrix");
        }
    }
    std::vector<double> weights;
    weights.reserve(factors[0].size() * factors[1].size() * factors[2].size());
    for (const double z : factors[2]) {
        for (const double y : factors[1]) {
            for (const double x : factors[0]) weights.push_back(z * (y * x));
        }
    }
    const auto sideOf = [&](int axis) { return static_cast<int>(factors[static_cast<std::size_t>(axis)].size()); };
    filter = rounded(weights, sideOf(0), sideOf(1), sideOf(2), where);
    for (std::size_t axis = 0; axis < 3; ++axis) filter.factors[axis] = {factors[axis].begin(), factors[axis].end()};
    return filter;
}

/// Divides the weights by their sum.
void normalise(Filter& filter) {
    const double sum = filter.sum();
    // A filter of differences sums to 0 but for rounding; dividing by that would blow it up.
    double size = 0;
    for (const float w : filter.weights) size += std::fabs(w);
    if (std::fabs(sum) <= 1e-6 * size) return;
    for (float& w : filter.weights) w = static_cast<float>(w / sum);
    for (float& w : filter.factors[0]) w = static_cast<float>(w / sum);
}

}  // namespace

double Filter::sum() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

bool Filter::hasNegative() const {
    return std::any_of(weights.begin(), weights.end(), [](float w) { return w < 0; });
}

Filter parseMatrix(const std::string& text, const std::string& where, int dimensions) {
    MatrixReader reader(where, dimensions);
    for (const auto& row : rowsOf(text)) reader.row(row);
    return reader.filter();
}

Filter makeFilter(const ParameterValues& values, const std::array<double, 3>& spacing) {
    const Chosen chosen = parameters().read(values);
    const std::string& name = chosen.filter;
    const auto& names = filterNames();
    const int dimensions = chosen.dimensions == Dimensions::three ? 3 : 2;
    Filter filter;
    if (name == "custom") {
        filter = parseMatrix(chosen.matrix, "matrix", dimensions);
    } else if (std::find(names.begin(), names.end(), name) == names.end()) {
        filter = parseMatrix(matrixFile(name), name, dimensions);
    } else {
        const NamedFilter shape{
            .radius = chosen.radius, .sigma = chosen.sigma, .amount = chosen.amount, .angle = chosen.angle};
        if (dimensions == 3) {
            const bool millimetres = chosen.sigmaUnit == Chosen::SigmaUnit::millimetres && name == "gaussian";
            filter = volumeFilter(name, alongAxes(shape, millimetres, spacing));
        } else {
            constexpr int kMostRadius = (kMaxFilterSide - 1) / 2;
            if (shape.radius > kMostRadius) {
                throw Error(Error::Kind::argument,
                            "radius " + std::to_string(shape.radius) +
                                ": with 2 dimensions a radius of 0 to 31 is possible: choose a smaller one");
            }
            int width = 0, height = 0;
            const auto weights = namedFilter(name, shape, width, height);
            filter = rounded(weights, width, height, 1, "filter " + name);
        }
    }
    if (chosen.normalise) normalise(filter);
    return filter;
}

}  // namespace warplens::gpu::convolution
