// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/display_colours.hpp"
#include "gpu/render/label_colour.hpp"
#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QColor>
#include <QString>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace warplens::gui {

/// Fixed colours of values that are not numbers; the same in every colour map and scheme.
constexpr QRgb kNanColour = 0xffd000d0;       ///< magenta
constexpr QRgb kPlusInfColour = 0xffff3030;   ///< red
constexpr QRgb kMinusInfColour = 0xff3050ff;  ///< blue
/// Likewise of values outside the range, where they are marked.
constexpr QRgb kBelowColour = 0xff00b4b4;  ///< teal
constexpr QRgb kAboveColour = 0xffffd800;  ///< yellow

/// The maps to choose from, in the order of the menu.
inline constexpr std::array kColourMaps{ColourMap::grey,      ColourMap::viridis, ColourMap::cividis,
                                        ColourMap::magma,     ColourMap::inferno, ColourMap::turbo,
                                        ColourMap::diverging, ColourMap::labels};
/// "viridis".
QString nameOf(ColourMap map);

/// Values to colours through a table.
class ValueColours {
public:
    /// Finer than 8 bits, so that without gamma rounding to a step never moves the byte by more than one eighth.
    static constexpr int kSteps = gpu::render::DisplayColours::kSteps;

    /// `neutral` is the ground, and the middle of the diverging map.
    ValueColours(DisplayRange range, ColourMap map, QRgb neutral = 0xff2e2e2e, Outside outside = Outside::clamped);

    QRgb one(float v) const {
        if (!std::isfinite(v)) return special(v);
        if (m_d.labels) return gpu::render::labelColour(gpu::render::labelNear(v));
        if (outside(v)) return v < m_d.least ? m_d.below : m_d.above;
        return m_d.table[step(v)];
    }
    /// A stored value; of 32-bit integers shown as labels through no float.
    template <class T>
    QRgb stored(T v) const {
        if constexpr (std::is_integral_v<T>) {
            if (m_d.labels) return gpu::render::labelColour(v);
        }
        return one(static_cast<float>(v));
    }
    QRgb three(float r, float g, float b) const {
        if (!std::isfinite(r) || !std::isfinite(g) || !std::isfinite(b)) {
            return special(!std::isfinite(r) ? r : !std::isfinite(g) ? g : b);
        }
        for (const float v : {r, g, b})
            if (outside(v)) return v < m_d.least ? m_d.below : m_d.above;
        return qRgb(m_d.bytes[step(r)], m_d.bytes[step(g)], m_d.bytes[step(b)]);
    }
    /// A pixel of a picture of any type, as it is drawn where nothing is averaged.
    QRgb pixel(const io::Grid& picture, std::int64_t x, std::int64_t y, std::int64_t z) const;
    /// Colours from the low end of the range to the high.
    const std::array<QRgb, kSteps + 1>& colours() const { return m_d.table; }
    /// The same for a device that draws.
    const gpu::render::DisplayColours& display() const { return m_d; }

private:
    QRgb special(float v) const { return std::isnan(v) ? m_d.nan : v > 0 ? m_d.plusInfinity : m_d.minusInfinity; }
    std::size_t step(float v) const {
        const float t = (v - m_d.low) * m_d.scale + 0.5F;
        return static_cast<std::size_t>(std::clamp(t, 0.0F, static_cast<float>(kSteps)));
    }

    /// Never, unless they are marked: the bounds are infinite then.
    bool outside(float v) const { return v < m_d.least || v > m_d.greatest; }

    gpu::render::DisplayColours m_d;
};

/// The map that a picture is shown in: `map`, or that of labels where the picture holds them and they are to have it.
ColourMap mapFor(const io::Grid& picture, ColourMap map, bool labelColours);

/// The colour of one value of a one-channel picture.
QRgb mapped(double value, DisplayRange range, ColourMap map, QRgb neutral = 0xff2e2e2e);

}  // namespace warplens::gui
