// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/elementwise/curve.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/elementwise/arguments.hpp"
#include "io/text.hpp"

#include <cmath>
#include <string_view>

namespace warplens::gpu::elementwise {
namespace {

constexpr double kLowest = -100, kHighest = 1000;  // percent, as of levels

struct Point {
    double x, y;
};

[[noreturn]] void refuse(const std::string& what) {
    throw Error(Error::Kind::argument, "points: " + what + ": expected 2 to " + std::to_string(kMostPoints) +
                                           " as \"x,y;x,y\" in percent, each x above the one before");
}

std::vector<Point> pointsOf(const std::string& text) {
    std::vector<Point> points;
    for (std::string_view part : io::split(text, ';')) {
        const auto numbers = io::split(part, ',');
        const auto numberAt = [&](std::size_t i) {
            std::string_view one = numbers[i];
            while (one.starts_with(' ')) one.remove_prefix(1);
            while (one.ends_with(' ')) one.remove_suffix(1);
            const auto number = io::parseNumber<double>(one);
            if (!number || !(*number >= kLowest && *number <= kHighest)) refuse(io::inQuotes(part) + " is no point");
            return *number / 100;
        };
        if (numbers.size() != 2) refuse(io::inQuotes(part) + " is no point");
        const Point point{numberAt(0), numberAt(1)};
        if (!points.empty() && !(point.x > points.back().x)) refuse(io::inQuotes(part) + " is out of order");
        points.push_back(point);
    }
    if (points.size() < 2 || points.size() > kMostPoints) refuse(std::to_string(points.size()) + " given");
    return points;
}

/// At an end from its two steps and their slopes; what would leave them is cut.
double slopeAtEnd(double step, double other, double rise, double otherRise) {
    const double slope = ((2 * step + other) * rise - step * otherRise) / (step + other);
    if (slope * rise <= 0) return 0;
    return rise * otherRise < 0 && std::fabs(slope) > 3 * std::fabs(rise) ? 3 * rise : slope;
}

}  // namespace

double topOf(io::PixelType type) { return type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1; }

Curve curveThrough(const std::string& text) {
    const std::vector<Point> points = pointsOf(text);
    const std::size_t n = points.size() - 1;
    std::vector<double> step(n), rise(n), slope(n + 1);
    for (std::size_t k = 0; k < n; ++k) {
        step[k] = points[k + 1].x - points[k].x;
        rise[k] = (points[k + 1].y - points[k].y) / step[k];
    }
    for (std::size_t k = 1; k < n; ++k) {
        // A turning point is one of the curve as well.
        if (rise[k - 1] * rise[k] <= 0) continue;
        const double before = 2 * step[k] + step[k - 1], behind = step[k] + 2 * step[k - 1];
        slope[k] = (before + behind) / (before / rise[k - 1] + behind / rise[k]);
    }
    slope[0] = n == 1 ? rise[0] : slopeAtEnd(step[0], step[1], rise[0], rise[1]);
    slope[n] = n == 1 ? rise[0] : slopeAtEnd(step[n - 1], step[n - 2], rise[n - 1], rise[n - 2]);
    Curve curve{.pieces = {}, .last = points.back().x};
    for (std::size_t k = 0; k < n; ++k)
        curve.pieces.push_back({.from = points[k].x,
                                .value = points[k].y,
                                .slope = slope[k],
                                .square = (3 * rise[k] - 2 * slope[k] - slope[k + 1]) / step[k],
                                .cubic = (slope[k] + slope[k + 1] - 2 * rise[k]) / (step[k] * step[k])});
    return curve;
}

Curve::Value Curve::at(double share) const {
    const double first = pieces.front().from, t = share < first ? first : share > last ? last : share;
    std::size_t k = 0;
    while (k + 1 < pieces.size() && t >= pieces[k + 1].from) ++k;
    const CurvePiece& p = pieces[k];
    const double d = t - p.from;
    return {p.value + d * (p.slope + d * (p.square + d * p.cubic)),
            std::fabs(p.value) + std::fabs(d * p.slope) + std::fabs(d * d * p.square) + std::fabs(d * d * d * p.cubic)};
}

}  // namespace warplens::gpu::elementwise
