// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_geometry.hpp"

#include "io/text.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::io::codecs {
namespace {

using Vector = std::array<double, 3>;
using Axes = std::array<Vector, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Of length 1; none for a vector that has no direction.
std::optional<Vector> unit(const Vector& v) {
    const auto length = std::sqrt(dot(v, v));
    if (!(length > 1e-6)) return std::nullopt;
    return Vector{v[0] / length, v[1] / length, v[2] / length};
}

std::optional<Axes> axesFrom(const std::vector<double>& cosines) {
    if (cosines.size() != 6) return std::nullopt;
    const auto row = unit({cosines[0], cosines[1], cosines[2]});
    const auto column = unit({cosines[3], cosines[4], cosines[5]});
    if (!row || !column) return std::nullopt;
    const auto normal = unit(cross(*row, *column));
    if (!normal) return std::nullopt;
    return Axes{*row, *column, *normal};
}

/// Where a frame's item, or else the detector of nuclear medicine, says this.
std::vector<double> placing(const DicomHeader& header, std::int64_t frame, std::uint32_t group, std::uint32_t tag) {
    if (const auto* item = header.of(frame, group, tag)) return item->decimals(tag);
    const auto* detector = header.root().first(0x00540022);
    return detector != nullptr ? detector->decimals(tag) : std::vector<double>();
}

bool isSpacing(const std::vector<double>& pair) { return pair.size() >= 2 && pair[0] > 0 && pair[1] > 0; }

/// Of rows, then of columns, as ultrasound states it: in centimetres, for regions of the picture.
std::vector<double> ultrasoundSpacing(const DicomHeader& header) {
    constexpr std::int64_t kCentimetre = 3;
    const auto* region = header.root().first(0x00186011);
    if (region == nullptr || region->word(0x00186024) != kCentimetre || region->word(0x00186026) != kCentimetre) {
        return {};
    }
    return {10 * std::abs(region->real(0x0018602e).value_or(0)), 10 * std::abs(region->real(0x0018602c).value_or(0))};
}

/// Of rows, then of columns.
std::array<double, 2> planeSpacing(const DicomHeader& header, std::vector<std::string>& notes) {
    if (const auto* item = header.of(0, 0x00289110, 0x00280030)) {
        if (const auto pair = item->decimals(0x00280030); isSpacing(pair)) return {pair[0], pair[1]};
    }
    if (const auto pair = header.root().decimals(0x00181164); isSpacing(pair)) {
        notes.emplace_back("the spacing is that at the detector, not within what was taken");
        return {pair[0], pair[1]};
    }
    if (const auto pair = header.root().decimals(0x00182010); isSpacing(pair)) {
        notes.emplace_back("the spacing is that of the scanned film");
        return {pair[0], pair[1]};
    }
    if (const auto pair = ultrasoundSpacing(header); isSpacing(pair)) return {pair[0], pair[1]};
    if (const auto pair = header.root().decimals(0x00280034); isSpacing(pair)) {
        if (pair[0] == pair[1]) return {1, 1};
        notes.emplace_back("the file states the shape of its pixels, not their size; columns 1 mm apart are assumed");
        return {pair[0] / pair[1], 1};
    }
    if (header.root().find(0x00280030) != nullptr) {
        notes.emplace_back("the spacing in the file is none; 1 mm is assumed");
    }
    return {1, 1};
}

/// The planes of a dose, relative to each other.
std::vector<double> doseOffsets(const DicomHeader& header) {
    auto offsets = header.root().decimals(0x3004000c);
    if (offsets.size() != static_cast<std::size_t>(header.frames)) offsets.clear();
    return offsets;
}

/// The frames' places along the normal; empty when one of them has none, or all have the same.
std::vector<double> positionsOf(const DicomHeader& header, const Axes& axes) {
    auto places = doseOffsets(header);
    if (!places.empty()) return places;
    // Of a file with one position for all nothing can be told.
    if (header.root().find(0x52009230) == nullptr) return {};
    for (std::int64_t frame = 0; frame < header.frames; ++frame) {
        const auto place = placeOfFrame(header, frame);
        if (!place.position) return {};
        places.push_back(alongNormal(place, axes));
    }
    const bool same = std::all_of(places.begin(), places.end(), [&](double p) { return p == places.front(); });
    return same ? std::vector<double>() : places;
}

bool isRising(const std::vector<double>& places, double sign) {
    return std::adjacent_find(places.begin(), places.end(),
                              [&](double a, double b) { return !((b - a) * sign > 0); }) == places.end();
}

/// Distance of the frames, below 0 when they go against the normal.
double frameSpacing(const DicomHeader& header, const Axes& axes, std::vector<std::string>& notes) {
    std::string from;
    const auto stated = statedSliceSpacing(header, from);
    if (header.frames == 1) return std::abs(stated.value_or(1));
    const auto places = positionsOf(header, axes);
    for (const double sign : {1.0, -1.0}) {
        if (places.size() > 1 && isRising(places, sign)) return evenSpacing(places, notes);
    }
    if (!places.empty()) {
        notes.emplace_back("the frames are in the order of the file, which is not that of their places");
    }
    const auto spacing = stated.value_or(1);
    if (from != "spacing between slices" || !places.empty()) {
        notes.push_back("the frames are taken to be " + formatNumber(spacing) + " mm apart" +
                        (from.empty() ? "" : ", as the " + from + " says"));
    }
    return spacing;
}

}  // namespace

DicomPlace placeOfFrame(const DicomHeader& header, std::int64_t frame) {
    DicomPlace place;
    const auto position = placing(header, frame, 0x00209113, 0x00200032);
    if (position.size() == 3) place.position = Vector{position[0], position[1], position[2]};
    place.axes = axesFrom(placing(header, frame, 0x00209116, 0x00200037));
    return place;
}

double alongNormal(const DicomPlace& place, const Axes& axes) {
    return place.position ? dot(*place.position, axes[2]) : 0;
}

std::optional<double> statedSliceSpacing(const DicomHeader& header, std::string& from) {
    for (const auto& [tag, name] :
         {std::pair{0x00180088U, "spacing between slices"}, {0x00180050U, "slice thickness"}}) {
        const auto* item = header.of(0, 0x00289110, tag);
        const auto value = item == nullptr ? std::nullopt : item->decimal(tag);
        if (!value || *value == 0) continue;
        from = name;
        return value;
    }
    return std::nullopt;
}

Geometry readDicomGeometry(const DicomHeader& header, std::vector<std::string>& notes) {
    Geometry geometry;
    const auto place = placeOfFrame(header, 0);
    const auto axes = place.axes.value_or(Axes{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}});
    const auto plane = planeSpacing(header, notes);
    const auto apart = frameSpacing(header, axes, notes);
    geometry.spacing = {plane[1], plane[0], std::abs(apart)};
    if (place.position) geometry.origin = *place.position;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto sign = axis == 2 && apart < 0 ? -1 : 1;
        for (std::size_t row = 0; row < 3; ++row) geometry.direction[3 * row + axis] = sign * axes[axis][row];
    }
    const bool turns = [&] {
        if (header.root().find(0x52009230) == nullptr) return false;
        for (std::int64_t frame = 1; frame < header.frames; ++frame) {
            const auto other = placeOfFrame(header, frame).axes.value_or(axes);
            if (dot(other[0], axes[0]) < 1 - 1e-4 || dot(other[1], axes[1]) < 1 - 1e-4) return true;
        }
        return false;
    }();
    if (turns) notes.emplace_back("the frames have several directions; that of the first is taken");
    return geometry;
}

double evenSpacing(const std::vector<double>& places, std::vector<std::string>& notes) {
    const auto mean = (places.back() - places.front()) / static_cast<double>(places.size() - 1);
    double widest = 0;
    for (std::size_t i = 1; i < places.size(); ++i) {
        widest = std::max(widest, std::abs(places[i] - places[i - 1] - mean));
    }
    if (widest > 0.01 * std::abs(mean)) {
        notes.push_back("the slices are not evenly spaced: up to " + formatNumber(std::round(widest * 1000) / 1000) +
                        " mm off the mean, which is taken");
    }
    return mean;
}

}  // namespace warplens::io::codecs
