// SPDX-License-Identifier: Apache-2.0
// Sums in double: n 2^-53 of the sum of the terms' magnitudes. A row that adds in single precision first adds 2^-24 of
// it an addition. What is kept as f32 is rounded once.
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace warplens::gpu::testing::reduction {
namespace {

constexpr double kWide = 0x1p-53;

ParameterValues complete(const io::Grid& input, ParameterValues values) {
    if (values.contains("measure")) fallTo(values, "with", noisePicture(input.shape(), input.type(), 81));
    return values;
}

/// Additions in single precision that a value goes through: four accumulators a pack of four, joined by two.
double narrowAdditions(const Variant& variant) { return variant.id == "fused" || variant.id == "fixed_tree" ? 6 : 0; }

std::vector<double> channelOf(const io::Grid& grid, int channel) {
    std::vector<double> values;
    const io::Shape& s = grid.shape();
    for (std::int64_t i = 0; i < s.pixels(); ++i)
        values.push_back(grid.value(i % s.width, i / s.width % s.height, i / s.width / s.height, channel));
    return values;
}

Expected statistic(const Posed& posed, const Variant& variant, const std::string& column, int channel) {
    const std::vector<double> values = channelOf(*posed.input, channel);
    const bool floats = posed.input->type() == io::PixelType::f32;
    long double sum = 0, squares = 0;
    double n = 0, magnitude = 0, first = 0;
    for (const double v : values) {
        if (std::isnan(v)) continue;
        sum += v;
        magnitude += std::fabs(v);
        ++n;
    }
    for (const double v : values)
        if (std::isfinite(v)) {
            first = v;
            break;
        }
    const auto mean = static_cast<double>(sum / n);
    for (const double v : values)
        if (!std::isnan(v)) squares += (v - sum / n) * (v - sum / n);
    const auto variance = static_cast<double>(squares / n);
    // OpenCV takes the square of the mean from the mean of the squares.
    const double opencv = 0x1p-40 * (variance + mean * mean);
    if (!floats) {
        if (!isLibrary(variant)) return exactly();
        if (column == "mean") return within(mean, 0x1p-40 * mean);
        return column == "variance" ? within(variance, opencv) : exactly();
    }
    // OpenCV adds neighbours in single precision.
    const double narrow = isLibrary(variant) ? 1 : narrowAdditions(variant), part = narrow * kHalfEps + n * kWide;
    if (column == "sum") return within(static_cast<double>(sum), part * magnitude);
    if (column == "mean") return within(mean, part * magnitude / n + kWide * std::fabs(mean));
    if (column != "variance") return exactly();
    // Around one of the values: three sums, each of n terms.
    const double off = mean - first, around = (3 * n + 8) * kWide * (variance + off * off);
    if (isLibrary(variant)) return within(variance, opencv);
    return within(variance, (narrow > 0 ? (narrow + 1) * 64 * kHalfEps * variance : 0) + around);
}

Expected difference(const Posed& posed, const Variant& variant, const std::string& column, int channel) {
    const std::vector<double> a = channelOf(*posed.input, channel), b = channelOf(posed.picture("with"), channel);
    const bool floats = posed.input->type() == io::PixelType::f32;
    double n = 0, dot = 0, products = 0, apart = 0, squares = 0, largest = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < a.size(); ++i) {
        low = std::min(low, b[i]);
        high = std::max(high, b[i]);
        if (std::isnan(a[i])) continue;
        const double off = std::fabs(a[i] - b[i]);
        ++n;
        dot += a[i] * b[i];
        products += std::fabs(a[i] * b[i]);
        apart += off;
        squares += off * off;
        largest = std::max(largest, off);
    }
    const double peak = floats ? high - low : posed.input->type() == io::PixelType::u8 ? 255 : 65535;
    const double rmse = std::sqrt(squares / n), psnr = 20 * std::log10(peak / rmse);
    // OpenCV adds the products of long stretches in single precision.
    const double narrow = isLibrary(variant) ? 4096 : narrowAdditions(variant);
    // A difference is rounded once before it is added, and twice in its square.
    const double part = floats ? (narrow > 0 ? (narrow + 4) * kHalfEps : 0) + (n + 4) * kWide : 0x1p-50;
    if (column == "mean_abs") return within(apart / n, part * apart / n);
    if (column == "rmse") return within(rmse, part * rmse);
    if (column == "psnr") return within(psnr, 9 * part + 0x1p-44 * std::fabs(psnr));
    if (column == "dot" && floats)
        return within(dot, ((narrow > 0 ? narrow + 1 : 0) * kHalfEps + n * kWide) * products + n * kTiny);
    return column == "max_abs" && floats ? within(largest, kHalfEps * largest + kTiny) : exactly();
}

/// Values of the line along an axis that a projection's pixel is made of.
std::vector<double> lineOf(const Posed& posed, const std::string& along, const Spot& p) {
    const io::Shape& s = posed.input->shape();
    std::vector<double> line;
    const std::int64_t length = along == "x" ? s.width : along == "y" ? s.height : s.depth;
    for (std::int64_t i = 0; i < length; ++i) {
        const double v = along == "x"   ? posed.input->value(i, p.x, p.y, p.c)
                         : along == "y" ? posed.input->value(p.x, i, p.y, p.c)
                                        : posed.input->value(p.x, p.y, i, p.c);
        if (!std::isnan(v)) line.push_back(v);
    }
    return line;
}

std::optional<Definition> of(const Posed& posed) {
    const std::string &measure = posed.text("measure"), along = posed.text("along"), keep = posed.text("keep");
    if (along != "all") {
        if (keep == "maximum" || keep == "minimum") return Definition();
        if (keep != "mean" && keep != "sum") return std::nullopt;
        const bool mean = keep == "mean";
        if (!mean && posed.input->type() != io::PixelType::f32) return Definition();
        return Definition{.picture = [&posed, along, mean](const Variant&, const Spot& p) {
            const std::vector<double> line = lineOf(posed, along, p);
            const double n = mean ? static_cast<double>(line.size()) : 1;
            double sum = 0, magnitude = 0;
            for (const double v : line) {
                sum += v;
                magnitude += std::fabs(v);
            }
            return within(sum / n, kHalfEps * std::fabs(sum / n) +
                                       static_cast<double>(line.size() + 1) * kWide * magnitude / n + kTiny);
        }};
    }
    if (measure != "statistics" && measure != "comparison") return std::nullopt;
    const auto figure = measure == "statistics" ? &statistic : &difference;
    return Definition{
        .number = [&posed, figure](const Variant& variant, const std::string&, const std::string& column,
                                   std::size_t row) { return figure(posed, variant, column, static_cast<int>(row)); }};
}

[[maybe_unused]] const bool kKnown = defines("reduction", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::reduction
