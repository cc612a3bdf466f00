// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/host_colours.hpp"
#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QColor>
#include <QString>
#include <array>
#include <cstdint>

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

    QRgb one(float v) const { return gpu::render::HostColours{m_d}.one(v); }
    /// A pixel of a picture of any type, as it is drawn where nothing is averaged.
    QRgb pixel(const io::Grid& picture, std::int64_t x, std::int64_t y, std::int64_t z) const;
    /// Colours from the low end of the range to the high.
    const std::array<QRgb, kSteps + 1>& colours() const { return m_d.table; }
    /// The same for a device that draws.
    const gpu::render::DisplayColours& display() const { return m_d; }

private:
    gpu::render::DisplayColours m_d;
};

/// The map that a picture is shown in: `map`, or that of labels where the picture holds them and they are to have it.
ColourMap mapFor(const io::Grid& picture, ColourMap map, bool labelColours);

/// The colour of one value of a one-channel picture.
QRgb mapped(double value, DisplayRange range, ColourMap map, QRgb neutral = 0xff2e2e2e);

}  // namespace warplens::gui
