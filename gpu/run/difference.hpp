// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/double_reference.hpp"
#include "gpu/core/record.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace warplens::gpu {

/// How two values are told apart: `a` against `b`.
enum class Metric {
    signedValue,  ///< a - b
    absolute,     ///< |a - b|
    squared,      ///< (a - b) squared
    relative,     ///< (a - b) over the larger magnitude of the two: -2 to 2
    ulp,          ///< representable values from b to a, signed: floats of f32, steps of integers
};
inline constexpr std::array kMetrics{Metric::signedValue, Metric::absolute, Metric::squared, Metric::relative,
                                     Metric::ulp};

/// Parts of a picture in which kernels go wrong.
enum class Region {
    all,
    border,  ///< outputs whose filter reaches over the edge of the picture
    seams,   ///< the outermost outputs of each block's tile, where two tiles meet
    inside,  ///< at none of the others
    slabs,   ///< the first and last slices of slabs, where two slabs meet
};
inline constexpr std::array kRegions{Region::all, Region::border, Region::seams, Region::inside, Region::slabs};
const char* regionName(Region region);  ///< "all", "border", "tile seams", "inside", "slab seams"

/// Where the regions lie, in pixels. Without a tile there are no seams, without a halo no border.
struct RegionShape {
    int haloX = 0, haloY = 0;
    int tileWidth = 0, tileHeight = 0;
    std::int64_t slabSlices = 0;  ///< that a slab computes; 0: there are no slabs
    bool operator==(const RegionShape&) const = default;
    bool contains(Region region, std::int64_t x, std::int64_t y, const io::Shape& picture, std::int64_t z = 0) const;
};

RegionShape regionsOf(const RunRecord& run);

struct PixelPlace {
    std::int64_t x = 0, y = 0, z = 0;
    bool operator==(const PixelPlace&) const = default;
};

/// Figures of one region. Against the double reference a value mismatches when it is not the one of its type nearest to
/// it, and values that the check did not look at are in none. Values that are not finite in either picture count as
/// mismatching unless they are alike (both NaN, the same infinity), and enter no figure but that count.
struct DifferenceFigures {
    std::int64_t pixels = 0;
    std::int64_t mismatching = 0;     ///< pixels of which at least one channel differs
    double maximum = 0, mean = 0;     ///< of the metric's magnitude, a channel of a pixel being one value
    double rmse = 0;                  ///< of a - b, in stored values
    std::optional<double> psnr;       ///< dB; absent when nothing differs
    std::optional<PixelPlace> first;  ///< the first mismatch, row by row
    std::optional<PixelPlace> worst;  ///< of the maximum, the first one; absent when that is 0
};

struct Difference {
    std::shared_ptr<const io::Grid> picture;  ///< f32, one channel: the metric of the channel that differs most
    std::array<DifferenceFigures, kRegions.size()> figures;
    double peak = 0;  ///< what PSNR refers to: the type's largest value, or of 32 bits the range of picture b
};

/// Compares pictures of the same extents and channels; throws std::invalid_argument for others. Outside `shown` the
/// picture is 0. Stops early, with a result of no use, when asked to. About 10 ns a value: not for the UI thread.
Difference differenceOf(const io::Grid& a, const io::Grid& b, Metric metric, Region shown, const RegionShape& regions,
                        const std::stop_token& stop = {});

/// The same against the double reference: ULP is a - b in units of the distance between the floats at b, or in steps of
/// integers, and so no whole number. Outside what was checked the picture is 0.
Difference differenceOf(const io::Grid& a, const DoubleReference& b, Metric metric, Region shown,
                        const RegionShape& regions, const std::stop_token& stop = {});

/// The distance between the floats around a value.
double ulpAt(double value);

/// Representable floats from b to a: 0 for equal ones and for the two zeros. Both must be finite.
std::int64_t ulpsBetween(float a, float b);

/// The least of 1, 2, 4, 5, 8 times a power of ten that is not below `magnitude`; 1 for 0.
double niceScale(double magnitude);

}  // namespace warplens::gpu
