// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/difference.hpp"

#include "gpu/run/slabs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace warplens::gpu {

namespace {

bool alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double unlike(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
    return a > b ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

double measured(double a, double b, Metric metric, double ulps) {
    const double d = a - b;
    switch (metric) {
        case Metric::signedValue: return d;
        case Metric::absolute: return std::abs(d);
        case Metric::squared: return d * d;
        case Metric::relative: return d == 0 ? 0 : d / std::max(std::abs(a), std::abs(b));
        case Metric::ulp: return ulps;
    }
    return d;
}

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

/// What is known of one value.
struct Judged {
    bool known = true;  ///< there is something to compare it with
    bool differs = false;
    bool finite = true;  ///< on both sides
    double measure = 0;  ///< by the metric; of what is not finite an infinity or NaN
    double error = 0;    ///< a - b
};

/// Another picture.
struct Picture {
    const io::Grid& grid;
    bool steps;  ///< of integers

    Judged judge(double a, std::int64_t x, std::int64_t y, std::int64_t z, int c, Metric metric) const {
        const double b = grid.value(x, y, z, c);
        if (alike(a, b)) return {.finite = std::isfinite(a)};
        if (!std::isfinite(a) || !std::isfinite(b)) return {.differs = true, .finite = false, .measure = unlike(a, b)};
        const double ulps =
            steps ? a - b : static_cast<double>(ulpsBetween(static_cast<float>(a), static_cast<float>(b)));
        return {.differs = true, .measure = measured(a, b, metric, ulps), .error = a - b};
    }
    double peak() const { return peakOf(grid); }
};

struct Exact {
    const DoubleReference& reference;
    bool steps;
    double range;

    Judged judge(double a, std::int64_t x, std::int64_t y, std::int64_t z, int c, Metric metric) const {
        const auto b = reference.value(x, y, z, c);
        if (!b) return {.known = false};
        if (alike(a, *b) || (!steps && alike(a, static_cast<float>(*b)) && !std::isfinite(a)))
            return {.finite = std::isfinite(a)};
        if (!std::isfinite(a) || !std::isfinite(*b))
            return {.differs = true, .finite = false, .measure = unlike(a, *b)};
        const double error = a - *b;
        return {.differs = steps ? std::abs(error) > 0.5 : static_cast<float>(*b) != static_cast<float>(a),
                .measure = measured(a, *b, metric, steps ? error : error / ulpAt(*b)),
                .error = error};
    }
    double peak() const { return range; }
};

/// What the channels of one pixel come to.
struct Pixel {
    double most = 0, magnitude = 0, squares = 0, largest = 0;
    int values = 0;
    bool known = false, differs = false, odd = false;

    void add(const Judged& value) {
        if (!value.known) return;
        known = true;
        differs = differs || value.differs;
        if (!value.finite) {
            if (value.differs && !odd) most = value.measure;
            odd = odd || value.differs;
            return;
        }
        ++values;
        const double size = std::abs(value.measure);
        if (!odd && size > std::abs(most)) most = value.measure;
        magnitude += size;
        largest = std::max(largest, size);
        squares += value.error * value.error;
    }
};

/// The sums of one region while it is walked.
struct Sums {
    DifferenceFigures figures;
    double magnitude = 0, squares = 0;
    std::int64_t values = 0;

    void add(const Pixel& pixel, const PixelPlace& place) {
        ++figures.pixels;
        values += pixel.values;
        magnitude += pixel.magnitude;
        squares += pixel.squares;
        if (pixel.largest > figures.maximum) {
            figures.maximum = pixel.largest;
            figures.worst = place;
        }
        if (!pixel.differs) return;
        ++figures.mismatching;
        if (!figures.first) figures.first = place;
    }

    DifferenceFigures finished(double peak) {
        if (values == 0) return figures;
        figures.mean = magnitude / static_cast<double>(values);
        figures.rmse = std::sqrt(squares / static_cast<double>(values));
        if (figures.rmse > 0) figures.psnr = 20 * std::log10(peak / figures.rmse);
        return figures;
    }
};

/// Whether two pieces of that size meet at `at`, one of the outermost places of either.
bool meets(std::int64_t at, std::int64_t piece, std::int64_t extent) {
    return piece > 0 && ((at % piece == 0 && at > 0) || (at % piece == piece - 1 && at + 1 < extent));
}

template <class Other>
Difference walked(const io::Grid& a, const Other& b, Metric metric, Region shown, const RegionShape& regions,
                  const std::stop_token& stop) {
    const io::Shape& shape = a.shape();
    io::Shape single = shape;
    single.channels = 1;
    auto picture = std::make_shared<io::Grid>(single, io::PixelType::f32);
    picture->geometry = a.geometry;
    float* out = picture->as<float>();
    std::array<Sums, kRegions.size()> sums;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height && !stop.stop_requested(); ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                Pixel pixel;
                for (int c = 0; c < shape.channels; ++c) pixel.add(b.judge(a.value(x, y, z, c), x, y, z, c, metric));
                if (pixel.known)
                    for (const Region region : kRegions)
                        if (regions.contains(region, x, y, shape, z))
                            sums[static_cast<std::size_t>(region)].add(pixel, {x, y, z});
                *out++ = regions.contains(shown, x, y, shape, z) ? static_cast<float>(pixel.most) : 0;
            }
    Difference result;
    result.peak = b.peak();
    for (std::size_t i = 0; i < sums.size(); ++i) result.figures[i] = sums[i].finished(result.peak);
    result.picture = std::move(picture);
    return result;
}

/// The range of what is known of the reference, or the type's largest value.
double peakOf(const DoubleReference& reference) {
    if (reference.type() == io::PixelType::u8 || reference.type() == io::PixelType::u16)
        return reference.type() == io::PixelType::u8 ? 255 : 65535;
    return peakOf(reference.picture());
}

}  // namespace

const char* regionName(Region region) {
    switch (region) {
        case Region::all: return "all";
        case Region::border: return "border";
        case Region::seams: return "tile seams";
        case Region::inside: return "inside";
        case Region::slabs: return "slab seams";
    }
    return "";
}

RegionShape regionsOf(const RunRecord& run) {
    RegionShape regions;
    if (run.footprint) {
        const Footprint& f = *run.footprint;
        regions = {f.haloX, f.haloY, f.tileWidth, f.tileHeight};
    }
    // Slabs of rows have no seams along z.
    const auto uneven = [&](const SlabMap::Stretch& held) { return held.first % run.slabs->each != 0; };
    if (run.slabs && run.slabs->axis == 2 && std::ranges::none_of(run.slabs->held, uneven))
        regions.slabSlices = run.slabs->each;
    return regions;
}

bool RegionShape::contains(Region region, std::int64_t x, std::int64_t y, const io::Shape& picture,
                           std::int64_t z) const {
    if (region == Region::all) return true;
    const bool border = x < haloX || y < haloY || x >= picture.width - haloX || y >= picture.height - haloY;
    if (region == Region::border || border) return region == Region::border && border;
    const bool seam = meets(x, tileWidth, picture.width) || meets(y, tileHeight, picture.height);
    const bool slab = meets(z, slabSlices, picture.depth);
    return region == Region::seams ? seam : region == Region::slabs ? slab : !seam && !slab;
}

double ulpAt(double value) {
    constexpr int kDigits = std::numeric_limits<float>::digits, kLeast = -149;
    int exponent = 0;
    std::frexp(static_cast<float>(value), &exponent);
    return std::ldexp(1.0, value == 0 ? kLeast : std::max(kLeast, exponent - kDigits));
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
    const bool steps = a.type() != io::PixelType::f32 && b.type() != io::PixelType::f32;
    return walked(a, Picture{b, steps}, metric, shown, regions, stop);
}

Difference differenceOf(const io::Grid& a, const DoubleReference& b, Metric metric, Region shown,
                        const RegionShape& regions, const std::stop_token& stop) {
    if (a.shape() != b.shape()) throw std::invalid_argument("the pictures have different extents");
    return walked(a, Exact{b, a.type() != io::PixelType::f32, peakOf(b)}, metric, shown, regions, stop);
}

}  // namespace warplens::gpu
