// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/difference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace warplens::gui {

namespace {

bool alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double unlike(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
    return a > b ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

double measured(double a, double b, Metric metric, bool steps) {
    const double d = a - b;
    switch (metric) {
        case Metric::signedValue: return d;
        case Metric::absolute: return std::abs(d);
        case Metric::squared: return d * d;
        case Metric::relative: return d == 0 ? 0 : d / std::max(std::abs(a), std::abs(b));
        case Metric::ulp:
            return steps ? d : static_cast<double>(ulpsBetween(static_cast<float>(a), static_cast<float>(b)));
    }
    return d;
}

/// The sums of one region while it is walked.
struct Sums {
    DifferenceFigures figures;
    double magnitude = 0, squares = 0;
    std::int64_t values = 0;
};

double peakOf(const io::Grid& grid) {
    if (grid.type() == io::PixelType::u8) return 255;
    if (grid.type() == io::PixelType::u16) return 65535;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    io::withType(grid.type(), [&]<class T>(T) {
        const T* values = grid.as<T>();
        const auto count = static_cast<std::size_t>(grid.shape().values());
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = static_cast<double>(values[i]);
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    });
    return high > low ? high - low : 1;
}

void finish(Sums& sums, double peak) {
    DifferenceFigures& figures = sums.figures;
    if (sums.values == 0) return;
    figures.mean = sums.magnitude / static_cast<double>(sums.values);
    figures.rmse = std::sqrt(sums.squares / static_cast<double>(sums.values));
    if (figures.rmse > 0) figures.psnr = 20 * std::log10(peak / figures.rmse);
}

}  // namespace

bool RegionShape::contains(Region region, std::int64_t x, std::int64_t y, const io::Shape& picture) const {
    if (region == Region::all) return true;
    const bool border = x < haloX || y < haloY || x >= picture.width - haloX || y >= picture.height - haloY;
    if (region == Region::border) return border;
    const auto meets = [](std::int64_t at, int tile, std::int64_t extent) {
        return tile > 0 && ((at % tile == 0 && at > 0) || (at % tile == tile - 1 && at + 1 < extent));
    };
    return !border && (meets(x, tileWidth, picture.width) || meets(y, tileHeight, picture.height));
}

std::int64_t ulpsBetween(float a, float b) {
    const auto place = [](float v) {
        const auto bits = std::bit_cast<std::int32_t>(v);
        // Below zero the order of the bits is the reverse of that of the values.
        return bits < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits : std::int64_t{bits};
    };
    return place(a) - place(b);
}

double niceScale(double magnitude) {
    if (!(magnitude > 0) || !std::isfinite(magnitude)) return 1;
    const double unit = std::pow(10, std::floor(std::log10(magnitude)));
    for (const double step : {1.0, 2.0, 4.0, 5.0, 8.0})
        if (step * unit >= magnitude) return step * unit;
    return 10 * unit;
}

Difference differenceOf(const io::Grid& a, const io::Grid& b, Metric metric, Region shown, const RegionShape& regions,
                        const std::stop_token& stop) {
    if (a.shape() != b.shape()) throw std::invalid_argument("the pictures have different extents");
    const io::Shape& shape = a.shape();
    io::Shape single = shape;
    single.channels = 1;
    auto picture = std::make_shared<io::Grid>(single, io::PixelType::f32);
    picture->geometry = a.geometry;
    float* out = picture->as<float>();
    const bool steps = a.type() != io::PixelType::f32 && b.type() != io::PixelType::f32;
    std::array<Sums, kRegions.size()> sums;

    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height && !stop.stop_requested(); ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                double most = 0, magnitude = 0, squares = 0, largest = 0;
                int values = 0;
                bool differs = false, odd = false;
                for (int c = 0; c < shape.channels; ++c) {
                    const double va = a.value(x, y, z, c), vb = b.value(x, y, z, c);
                    if (alike(va, vb)) {
                        values += std::isfinite(va);
                        continue;
                    }
                    differs = true;
                    if (!std::isfinite(va) || !std::isfinite(vb)) {
                        if (!odd) most = unlike(va, vb);
                        odd = true;
                        continue;
                    }
                    const double m = measured(va, vb, metric, steps);
                    if (!odd && std::abs(m) > std::abs(most)) most = m;
                    ++values;
                    magnitude += std::abs(m);
                    largest = std::max(largest, std::abs(m));
                    squares += (va - vb) * (va - vb);
                }
                for (const Region region : kRegions) {
                    if (!regions.contains(region, x, y, shape)) continue;
                    Sums& sum = sums[static_cast<std::size_t>(region)];
                    ++sum.figures.pixels;
                    sum.values += values;
                    if (!differs) continue;
                    ++sum.figures.mismatching;
                    sum.magnitude += magnitude;
                    sum.squares += squares;
                    sum.figures.maximum = std::max(sum.figures.maximum, largest);
                    if (!sum.figures.first) sum.figures.first = PixelPlace{x, y, z};
                }
                *out++ = regions.contains(shown, x, y, shape) ? static_cast<float>(most) : 0;
            }

    Difference result;
    result.peak = peakOf(b);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        finish(sums[i], result.peak);
        result.figures[i] = sums[i].figures;
    }
    result.picture = std::move(picture);
    return result;
}

}  // namespace warplens::gui
