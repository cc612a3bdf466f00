// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/format.hpp"
#include "io/grid.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::io {

/// How values are brought into another type: those of `range` become the whole range of an integer type, others are
/// cut; as f32 they stay what they are.
struct FitOptions {
    struct Range {
        double low = 0, high = 0;
        bool operator==(const Range&) const = default;
    };
    Range range{};
    /// Of those that the format writes; none: the picture's own, else the one that keeps most.
    std::optional<PixelType> type{};
};

/// The values that are black and white: all that the integers of the type of `original`, of which the picture was
/// made, can have; of other originals 0 to 1 where all values lie there, else the least to the largest.
FitOptions::Range usualRange(const Grid& picture, const Grid& original);

/// What a format makes of a picture.
struct FormatFit {
    PixelType type = PixelType::u8;
    bool dropsAlpha = false;
    FitOptions::Range range{};
    bool changes = false;  ///< something has to be converted
};

/// None: it is not written, or holds no volume and this is one.
std::optional<FormatFit> fitFor(const Format& format, const Grid& picture, const FitOptions& options);

/// The picture as such a file holds it, rounded to the nearest value. Throws Error(limit).
Grid fitted(const Grid& picture, const FormatFit& fit);

/// What a file loses, one short phrase each, as "16 bits become 8"; empty: nothing. Counts the values that are cut.
std::vector<std::string> lostBy(const Format& format, const Grid& picture, const FormatFit& fit,
                                const EncodeOptions& options);

}  // namespace warplens::io
