// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/histogram/edges.hpp"
#include "gpu/frame/bound_parameters.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::histogram {

/// A box of pixels inside a picture or volume.
struct Box {
    std::int64_t x = 0, y = 0, z = 0, width = 0, height = 0, depth = 0;
};

/// Which pixels and channels are counted.
struct Selection {
    Box box;
    std::shared_ptr<const io::Grid> mask;  ///< of the picture's extents; null: no mask
    bool luminance = false;                ///< counted instead of the channels; false for a picture of one channel

    bool whole(const io::Shape& shape) const;
    /// Whether the pixel is in the box and the mask.
    bool contains(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// What the user may choose.
struct Chosen {
    static constexpr int kBins = 256;
    int bins = kBins;
    double binWidth = 0;
    std::string range{};
    enum class Channels { each, luminance } channels{};
    std::string region{};
    std::shared_ptr<const NamedGrid> mask{};
};
const BoundParameters<Chosen>& parameters();

/// Throws Error(argument) when a region is malformed or leaves the picture, or the mask has other extents.
Selection selectionOf(const io::Grid& picture, const Chosen& chosen);

/// The values counted, as one row: width = pixels selected, one channel for each that is counted. The picture itself
/// when everything is. Luminance is 0.2126 R + 0.7152 G + 0.0722 B of the stored values in double, rounded once to f32.
std::shared_ptr<const io::Grid> selectedValues(const std::shared_ptr<const io::Grid>& picture,
                                               const Selection& selection);

/// "value"; "red", "green", "blue", "alpha"; or "luminance".
std::vector<std::string> channelNames(const io::Shape& shape, const Selection& selection);

/// The range where none is given: [0, 2^n) of an integer picture, [-32768, 32768) of one that was i16; else from the
/// smallest finite value to the f32 after the largest, of all channels; [v - 1/2, v + 1/2) of a single value v, or [v,
/// next f32) where v is too large for that; [0, 1) where no value is finite.
Range defaultRange(const io::Grid& picture, const io::Grid& selected);

}  // namespace warplens::gpu::histogram
