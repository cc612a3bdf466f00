// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/region_measures.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/length.hpp"
#include "io/in_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace warplens::gpu {
namespace {

using std::numbers::pi;
using Vector = std::array<double, 3>;
using Step = std::array<int, 3>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kSphereSamples = 20000;

double lengthOf(const Vector& v) { return std::hypot(v[0], v[1], v[2]); }

/// One of each pair of opposite steps to a neighbour, corners included: 4 in a plane, 13 in space.
std::vector<Step> directionsOf(bool volume) {
    std::vector<Step> found;
    for (int z = 0; z <= (volume ? 1 : 0); ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (z > 0 || y > 0 || (y == 0 && x > 0)) found.push_back({x, y, z});
    return found;
}

/// The share of all directions that lie nearest to each of these.
std::vector<double> sharesOf(const std::vector<Step>& steps, const Vector& spacing, bool volume) {
    std::vector<Vector> units;
    for (const Step& step : steps) {
        Vector v{step[0] * spacing[0], step[1] * spacing[1], step[2] * spacing[2]};
        const double length = lengthOf(v);
        for (double& part : v) part /= length;
        units.push_back(v);
    }
    std::vector<double> shares(steps.size());
    if (!volume) {
        std::vector<std::pair<double, std::size_t>> angles;
        for (std::size_t i = 0; i < units.size(); ++i) {
            const double angle = std::atan2(units[i][1], units[i][0]);
            angles.emplace_back(angle < 0 ? angle + pi : angle, i);
        }
        std::ranges::sort(angles);
        for (std::size_t i = 0; i < angles.size(); ++i) {
            const double before = i == 0 ? angles.back().first - pi : angles[i - 1].first;
            const double after = i + 1 == angles.size() ? angles.front().first + pi : angles[i + 1].first;
            shares[angles[i].second] = (after - before) / (2 * pi);
        }
        return shares;
    }
    // A spiral of golden angles covers the half sphere evenly.
    const double golden = pi * (3 - std::sqrt(5.0));
    for (int k = 0; k < kSphereSamples; ++k) {
        const double z = (k + 0.5) / kSphereSamples, radius = std::sqrt(1 - z * z);
        const Vector at{radius * std::cos(golden * k), radius * std::sin(golden * k), z};
        std::size_t nearest = 0;
        double best = -1;
        for (std::size_t i = 0; i < units.size(); ++i) {
            const double cosine = std::abs(at[0] * units[i][0] + at[1] * units[i][1] + at[2] * units[i][2]);
            if (cosine > best) best = cosine, nearest = i;
        }
        shares[nearest] += 1.0 / kSphereSamples;
    }
    return shares;
}

struct Values {
    std::int64_t count = 0;
    double mean = 0, squares = 0, least = kNone, greatest = kNone;

    void take(double value) {
        if (!std::isfinite(value)) return;
        ++count;
        const double off = value - mean;
        mean += off / static_cast<double>(count);
        squares += off * (value - mean);
        least = std::fmin(least, value);
        greatest = std::fmax(greatest, value);
    }
};

struct MeasuredRegion {
    std::int64_t label = 0, pixels = 0;
    Step first{std::numeric_limits<int>::max(), std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};
    Step last{-1, -1, -1};
    Vector centre{};
    std::array<std::int64_t, 13> crossings{};
    std::set<std::int64_t> neighbours{};
    std::vector<Values> values{};
    std::vector<std::pair<int, int>> spans{};  ///< of each row of the box: its first and last pixel
};

using Point = std::array<double, 2>;

double turn(const Point& a, const Point& b, const Point& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The convex hull, without points on its edges (Andrew 1979).
std::vector<Point> hullOf(const std::vector<Point>& points) {
    std::vector<Point> hull;
    const auto half = [&](auto begin, auto end) {
        const std::size_t from = hull.size();
        for (auto at = begin; at != end; ++at) {
            while (hull.size() >= from + 2 && turn(hull[hull.size() - 2], hull.back(), *at) <= 0) hull.pop_back();
            hull.push_back(*at);
        }
        hull.pop_back();
    };
    std::vector<Point> sorted = points;
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    half(sorted.begin(), sorted.end());
    half(sorted.rbegin(), sorted.rend());
    return hull;
}

/// The hull of the corners of a region's pixels in a slice of its box.
std::vector<Point> sliceHull(const MeasuredRegion& r, int slice, const Vector& spacing) {
    const int rows = r.last[1] - r.first[1] + 1;
    std::vector<Point> corners;
    for (int row = 0; row < rows; ++row) {
        const auto [from, to] = r.spans[static_cast<std::size_t>(slice * rows + row)];
        if (to < from) continue;
        for (const int y : {row, row + 1})
            for (const int x : {from, to + 1}) corners.push_back({x * spacing[0], y * spacing[1]});
    }
    return corners.empty() ? corners : hullOf(corners);
}

double largestDistance(const MeasuredRegion& r, const Vector& spacing, const std::stop_token& stop) {
    const int slices = r.last[2] - r.first[2] + 1;
    std::vector<std::vector<Point>> hulls;
    for (int slice = 0; slice < slices; ++slice) hulls.push_back(sliceHull(r, slice, spacing));
    double best = 0;
    // Slices far apart first: those that cannot hold a greater distance are then left out.
    const double across =
        std::hypot((r.last[0] - r.first[0] + 1) * spacing[0], (r.last[1] - r.first[1] + 1) * spacing[1]);
    for (int apart = slices; apart-- > 0;) {
        const double height = r.last[2] < 1 ? 0 : (apart + 1) * spacing[2];
        if (std::hypot(across, height) <= best) break;
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "cancelled");
        for (int slice = 0; slice + apart < slices; ++slice)
            for (const Point& a : hulls[static_cast<std::size_t>(slice)])
                for (const Point& b : hulls[static_cast<std::size_t>(slice + apart)])
                    best = std::max(best, lengthOf({a[0] - b[0], a[1] - b[1], height}));
    }
    return best;
}

double leastWidth(const MeasuredRegion& r, const Vector& spacing) {
    const std::vector<Point> hull = sliceHull(r, 0, spacing);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < hull.size(); ++i) {
        const Point &a = hull[i], &b = hull[(i + 1) % hull.size()];
        double width = 0;
        for (const Point& c : hull) width = std::max(width, turn(a, b, c));
        least = std::min(least, width / std::hypot(b[0] - a[0], b[1] - a[1]));
    }
    return least;
}

/// Label by label what its pixels say, in one walk over the picture.
class Walk {
public:
    Walk(const io::Grid& labels, const io::Grid* picture, const std::stop_token& stop)
        : m_labels(labels), m_picture(picture), m_stop(stop), m_directions(directionsOf(labels.shape().depth > 1)) {}

    std::map<std::int64_t, MeasuredRegion> regions() {
        io::withType(m_labels.type(), [&](auto sample) { walk<decltype(sample)>(); });
        return std::move(m_regions);
    }
    const std::vector<Step>& directions() const { return m_directions; }

private:
    template <class T>
    void walk() {
        const io::Shape& s = m_labels.shape();
        const T* all = m_labels.as<T>();
        const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> std::int64_t {
            if (x < 0 || y < 0 || z < 0 || x >= s.width || y >= s.height || z >= s.depth) return 0;
            return static_cast<std::int64_t>(all[(z * s.height + y) * s.width + x]);
        };
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y) {
                if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "cancelled");
                MeasuredRegion* region = nullptr;
                for (std::int64_t x = 0; x < s.width; ++x) {
                    const std::int64_t label = at(x, y, z);
                    if (label <= 0) continue;
                    if (region == nullptr || region->label != label) region = &regionOf(label);
                    take(*region, {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)});
                    for (std::size_t d = 0; d < m_directions.size(); ++d)
                        for (const int sign : {1, -1}) {
                            const Step& step = m_directions[d];
                            const std::int64_t other = at(x + sign * step[0], y + sign * step[1], z + sign * step[2]);
                            if (other == label) continue;
                            ++region->crossings[d];
                            if (other > 0) region->neighbours.insert(other);
                        }
                }
            }
        spans(at);
    }

    MeasuredRegion& regionOf(std::int64_t label) {
        MeasuredRegion& region = m_regions[label];
        region.label = label;
        if (m_picture != nullptr) region.values.resize(static_cast<std::size_t>(m_picture->shape().channels));
        return region;
    }

    void take(MeasuredRegion& region, const Step& at) {
        ++region.pixels;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            region.first[axis] = std::min(region.first[axis], at[axis]);
            region.last[axis] = std::max(region.last[axis], at[axis]);
            region.centre[axis] += (at[axis] - region.centre[axis]) / static_cast<double>(region.pixels);
        }
        for (std::size_t c = 0; c < region.values.size(); ++c)
            region.values[c].take(m_picture->value(at[0], at[1], at[2], static_cast<int>(c)));
    }

    template <class At>
    void spans(const At& at) {
        for (auto& [label, r] : m_regions) {
            if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "cancelled");
            for (int z = r.first[2]; z <= r.last[2]; ++z)
                for (int y = r.first[1]; y <= r.last[1]; ++y) {
                    int from = r.first[0], to = r.last[0];
                    while (from <= to && at(from, y, z) != label) ++from;
                    while (to > from && at(to, y, z) != label) --to;
                    r.spans.emplace_back(from - r.first[0], to - r.first[0]);
                }
        }
    }

    const io::Grid& m_labels;
    const io::Grid* m_picture;
    std::stop_token m_stop;
    std::vector<Step> m_directions;
    std::map<std::int64_t, MeasuredRegion> m_regions;
};

/// Columns as they are filled, row after row.
class Columns {
public:
    Column::Integers& integers(const std::string& id, const std::string& title, const std::string& unit) {
        return std::get<Column::Integers>(column(id, title, unit, Column::Integers{}).values);
    }
    void integer(const std::string& id, const std::string& title, const std::string& unit, std::int64_t value) {
        integers(id, title, unit).push_back(value);
    }
    void real(const std::string& id, const std::string& title, const std::string& unit, double value) {
        std::get<Column::Reals>(column(id, title, unit, Column::Reals{}).values).push_back(value);
    }
    std::vector<Column> take() && { return std::move(m_columns); }

private:
    template <class List>
    Column& column(const std::string& id, const std::string& title, const std::string& unit, List empty) {
        const auto found = std::ranges::find(m_columns, id, &Column::id);
        if (found != m_columns.end()) return *found;
        return m_columns.emplace_back(
            Column{.id = id, .title = title, .unit = unit, .origin = Origin::counted, .values = std::move(empty)});
    }

    std::vector<Column> m_columns;
};

}  // namespace

const io::Grid* sameExtents(const io::Grid* labels, const io::Grid* picture) {
    if (labels == nullptr || picture == nullptr) return nullptr;
    const io::Shape &a = labels->shape(), &b = picture->shape();
    return a.width == b.width && a.height == b.height && a.depth == b.depth ? picture : nullptr;
}

Table measureRegions(const io::Grid& labels, const io::Grid* picture, const std::stop_token& stop) {
    const io::Shape& s = labels.shape();
    if (s.channels != 1 || labels.type() == io::PixelType::f32)
        throw std::invalid_argument("regions are measured where labels are integers of one channel");
    if (picture != nullptr &&
        (picture->shape().width != s.width || picture->shape().height != s.height || picture->shape().depth != s.depth))
        throw std::invalid_argument("the picture that is measured has other extents than the labels");
    const bool volume = s.depth > 1, scaled = io::hasGeometry(labels.geometry);
    Vector spacing{1, 1, 1};
    const LengthUnit scale = lengthUnitOf(labels);
    const std::string unit = scale.name;
    if (scaled)
        for (std::size_t axis = 0; axis < 3; ++axis) spacing[axis] = labels.geometry.spacing[axis] / scale.mm;
    const double pixel = spacing[0] * spacing[1] * (volume ? spacing[2] : 1);
    const std::string square = unit + "²", cube = unit + "³";

    Walk walk(labels, picture, stop);
    const std::map<std::int64_t, MeasuredRegion> regions = walk.regions();
    const std::vector<double> shares = sharesOf(walk.directions(), spacing, volume);
    Columns columns;
    if (regions.empty())
        columns.integers("label", "Label", ""), columns.integers("pixels", volume ? "Voxels" : "Pixels", "px");
    for (const auto& [label, r] : regions) {
        columns.integer("label", "Label", "", label);
        columns.integer("pixels", volume ? "Voxels" : "Pixels", "px", r.pixels);
        const double size = static_cast<double>(r.pixels) * pixel;
        if (scaled) columns.real(volume ? "volume" : "area", volume ? "Volume" : "Area", volume ? cube : square, size);
        double boundary = 0;
        for (std::size_t d = 0; d < shares.size(); ++d) {
            const Step& step = walk.directions()[d];
            const double length = lengthOf({step[0] * spacing[0], step[1] * spacing[1], step[2] * spacing[2]});
            boundary += shares[d] * static_cast<double>(r.crossings[d]) * pixel / length;
        }
        boundary *= volume ? 2 : pi / 2;
        if (volume) {
            columns.real("surface", "Surface", square, boundary);
            columns.real("sphericity", "Sphericity", "", std::cbrt(pi) * std::pow(6 * size, 2.0 / 3) / boundary);
            columns.real("diameter", "Diameter", unit, std::cbrt(6 * size / pi));
        } else {
            columns.real("perimeter", "Perimeter", unit, boundary);
            columns.real("circularity", "Circularity", "", 4 * pi * size / (boundary * boundary));
            columns.real("diameter", "Diameter", unit, std::sqrt(4 * size / pi));
        }
        columns.real("feret", "Feret", unit, largestDistance(r, spacing, stop));
        if (!volume) columns.real("feret_min", "Least Feret", unit, leastWidth(r, spacing));
        static constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};
        bool atEdge = false;
        for (std::size_t axis = 0; axis < (volume ? 3u : 2u); ++axis) {
            columns.real(kAxes[axis], kAxes[axis], unit, r.centre[axis] * spacing[axis]);
            const std::int64_t extent = std::array{s.width, s.height, s.depth}[axis];
            atEdge = atEdge || r.first[axis] == 0 || r.last[axis] + 1 == extent;
        }
        for (std::size_t axis = 0; axis < (volume ? 3u : 2u); ++axis) {
            const std::string name = kAxes[axis];
            columns.integer(name + "0", name + "0", "px", r.first[axis]);
            columns.integer(name + "1", name + "1", "px", r.last[axis]);
        }
        columns.integer("at_edge", "At edge", "", atEdge);
        columns.integer("neighbours", "Neighbours", "", static_cast<std::int64_t>(r.neighbours.size()));
        for (std::size_t c = 0; c < r.values.size(); ++c) {
            const Values& v = r.values[c];
            const std::string number = r.values.size() == 1 ? std::string() : std::to_string(c + 1);
            const std::string id = number.empty() ? number : "_" + number,
                              title = number.empty() ? number : " " + number;
            const auto count = static_cast<double>(v.count);
            columns.real("mean" + id, "Mean" + title, "", v.count == 0 ? kNone : v.mean);
            columns.real("deviation" + id, "Deviation" + title, "",
                         v.count == 0 ? kNone : std::sqrt(v.squares / count));
            columns.real("least" + id, "Least" + title, "", v.least);
            columns.real("greatest" + id, "Greatest" + title, "", v.greatest);
            columns.real("sum" + id, "Sum" + title, "", v.mean * count);
        }
    }
    return {.id = kMeasures, .title = "Measures", .columns = std::move(columns).take()};
}

}  // namespace warplens::gpu
