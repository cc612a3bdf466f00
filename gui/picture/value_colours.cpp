// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/value_colours.hpp"

#include "gpu/render/colour_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

QRgb between(QRgb a, QRgb b, double t) {
    const auto mix = [t](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * t)); };
    return qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
}

QRgb fromTable(gpu::render::ColourTable name, double t) {
    const auto& table = gpu::render::coloursOf(name);
    const double at = t * static_cast<double>(table.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    return between(table[low], table[std::min(low + 1, table.size() - 1)], at - static_cast<double>(low));
}

QRgb colourAt(ColourMap map, double t, QRgb neutral) {
    constexpr QRgb kBlue = 0xff5aa0f0, kOrange = 0xffe8862e;
    switch (map) {
        case ColourMap::grey: return between(0xff000000, 0xffffffff, t);
        case ColourMap::diverging:
            return t < 0.5 ? between(kBlue, neutral, 2 * t) : between(neutral, kOrange, 2 * t - 1);
        case ColourMap::viridis: return fromTable(gpu::render::ColourTable::viridis, t);
        case ColourMap::cividis: return fromTable(gpu::render::ColourTable::cividis, t);
        case ColourMap::magma: return fromTable(gpu::render::ColourTable::magma, t);
        case ColourMap::inferno: return fromTable(gpu::render::ColourTable::inferno, t);
        case ColourMap::turbo: return fromTable(gpu::render::ColourTable::turbo, t);
        case ColourMap::labels: break;  // of whole values
    }
    return 0xff000000;
}

}  // namespace

QString nameOf(ColourMap map) {
    switch (map) {
        case ColourMap::grey: return QStringLiteral("grey");
        case ColourMap::diverging: return QStringLiteral("diverging");
        case ColourMap::viridis: return QStringLiteral("viridis");
        case ColourMap::cividis: return QStringLiteral("cividis");
        case ColourMap::magma: return QStringLiteral("magma");
        case ColourMap::inferno: return QStringLiteral("inferno");
        case ColourMap::turbo: return QStringLiteral("turbo");
        case ColourMap::labels: return QStringLiteral("labels");
    }
    return {};
}

ValueColours::ValueColours(DisplayRange range, ColourMap map, QRgb neutral, Outside outside) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    m_d.low = static_cast<float>(range.low);
    // A step: everything above the value is white.
    m_d.scale = range.high == range.low ? 1e30F : static_cast<float>(kSteps / (range.high - range.low));
    const bool clamped = outside == Outside::clamped, marked = outside == Outside::marked;
    m_d.least = clamped ? -kInfinite : static_cast<float>(std::min(range.low, range.high));
    m_d.greatest = marked ? static_cast<float>(std::max(range.low, range.high)) : kInfinite;
    m_d.labels = map == ColourMap::labels;
    m_d.nan = kNanColour;
    m_d.plusInfinity = kPlusInfColour;
    m_d.minusInfinity = kMinusInfColour;
    m_d.below = marked ? kBelowColour : neutral;
    m_d.above = kAboveColour;
    for (int i = 0; i <= kSteps; ++i) {
        const double linear = static_cast<double>(i) / kSteps;
        const double t = map == ColourMap::diverging ? linear : std::pow(linear, 1 / range.gamma);
        const auto at = static_cast<std::size_t>(i);
        m_d.bytes[at] = static_cast<std::uint8_t>(std::lround(t * 255));
        m_d.table[at] = m_d.labels ? one(static_cast<float>(range.low + linear * (range.high - range.low)))
                                   : colourAt(map, t, neutral);
    }
}

QRgb ValueColours::pixel(const io::Grid& picture, std::int64_t x, std::int64_t y, std::int64_t z) const {
    const gpu::render::HostColours colours{m_d};
    const double first = picture.value(x, y, z, 0);
    if (picture.shape().channels > 1) {
        return colours.three(static_cast<float>(first), static_cast<float>(picture.value(x, y, z, 1)),
                             static_cast<float>(picture.value(x, y, z, 2)));
    }
    // No float holds every label.
    if (picture.type() != io::PixelType::f32) return colours.stored(static_cast<std::int64_t>(first));
    return one(static_cast<float>(first));
}

ColourMap mapFor(const io::Grid& picture, ColourMap map, bool labelColours) {
    return labelColours && io::isWideInteger(picture.type()) && picture.shape().channels == 1 ? ColourMap::labels : map;
}

QRgb mapped(double value, DisplayRange range, ColourMap map, QRgb neutral) {
    return ValueColours(range, map, neutral).one(static_cast<float>(value));
}

}  // namespace warplens::gui
