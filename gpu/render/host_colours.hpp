// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/display_colours.hpp"
#include "gpu/render/label_colour.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warplens::gpu::render {

/// Values to colours, 0xffRRGGBB, on the host: bit for bit as the kernels of display.cuh find them.
struct HostColours {
    const DisplayColours& d;

    std::uint32_t one(float v) const {
        if (!std::isfinite(v)) return special(v);
        if (d.labels) return labelColour(labelNear(v));
        if (outside(v)) return v < d.least ? d.below : d.above;
        return d.table[step(v)];
    }
    /// A stored value; of 32-bit integers shown as labels through no float.
    template <class T>
    std::uint32_t stored(T v) const {
        if constexpr (std::is_integral_v<T>) {
            if (d.labels) return labelColour(v);
        }
        return one(static_cast<float>(v));
    }
    std::uint32_t three(float r, float g, float b) const {
        if (!std::isfinite(r) || !std::isfinite(g) || !std::isfinite(b))
            return special(!std::isfinite(r) ? r : !std::isfinite(g) ? g : b);
        for (const float v : {r, g, b})
            if (outside(v)) return v < d.least ? d.below : d.above;
        return 0xff000000U | std::uint32_t{d.bytes[step(r)]} << 16 | std::uint32_t{d.bytes[step(g)]} << 8 |
               d.bytes[step(b)];
    }

private:
    std::uint32_t special(float v) const { return std::isnan(v) ? d.nan : v > 0 ? d.plusInfinity : d.minusInfinity; }
    std::size_t step(float v) const {
        const float t = (v - d.low) * d.scale + 0.5F;
        return static_cast<std::size_t>(std::clamp(t, 0.0F, static_cast<float>(DisplayColours::kSteps)));
    }
    /// Never, unless they are marked: the bounds are infinite then.
    bool outside(float v) const { return v < d.least || v > d.greatest; }
};

}  // namespace warplens::gpu::render
