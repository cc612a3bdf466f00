// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "io/grid.hpp"

#include <stop_token>

namespace warplens::gpu {

/// The table that is asked for by this name.
inline constexpr const char* kMeasures = "measures";

/// `picture` where it may be measured by these labels, else null; either may be.
const io::Grid* sameExtents(const io::Grid* labels, const io::Grid* picture);

/// What is measured of the labelled regions of a picture or volume, a row each value above 0 of `labels` (one channel
/// of integers), by increasing label. Lengths are mm or µm by the geometry of `labels`, pixels where its file said
/// none (io::hasGeometry); the voxels of a region are counted beside them. Columns, all counted:
/// - `label`, `pixels`, and `area` (2-D) or `volume` (3-D) where lengths have a unit;
/// - `perimeter` or `surface`: Crofton's formula over 4 or 13 directions, each weighted by the angles nearest to it, so
///   that spacing may differ by axis (Legland, Kiêu, Devaux 2007);
/// - `circularity`, 4 pi area / perimeter^2, or `sphericity`, pi^(1/3) (6 volume)^(2/3) / surface: 1 for a disc or
///   ball, a little more or less on a grid;
/// - `diameter` of the disc or ball as large; `feret`, the largest distance of two corners of its pixels, and in 2-D
///   `feret_min`, the least width between two parallels;
/// - `x`, `y`, `z`: the centroid, 0 the centre of the first pixel; `x0` to `z1`: the box, first and last pixel;
/// - `at_edge`: 1 where it touches the edge of the picture; `neighbours`: other labels that touch it, corners included;
/// - of each channel of `picture`: `mean`, `deviation` (of the values, not of a sample), `least`, `greatest`, `sum`,
///   with `_1`, `_2` ... where there are several; values that are not finite are left out.
/// Throws std::invalid_argument where `picture`, which may be null, has other extents or `labels` is no picture of
/// labels, Error(cancelled) on a stop.
Table measureRegions(const io::Grid& labels, const io::Grid* picture, const std::stop_token& stop);

}  // namespace warplens::gpu
