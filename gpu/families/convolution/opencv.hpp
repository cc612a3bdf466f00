// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/filter.hpp"
#include "gpu/kernels/border.hpp"
#include "io/grid.hpp"

#include <string>

namespace warplens::gpu::library {

/// OpenCV sums in its own order, and by DFT from 11 x 11 on: its stated bound is this many times the kernels'.
constexpr double kOpencvBoundFactor = 64;

/// How its definition differs, for the record.
std::string opencvNote();

/// cv::filter2D on all cores into `output`; wrap goes through copyMakeBorder, whose time counts. Returns milliseconds
/// of the filter calls alone.
double opencvFilter(const io::Grid& input, const convolution::Filter& filter, Border border, double offset,
                    int channels, io::Grid& output);

}  // namespace warplens::gpu::library
