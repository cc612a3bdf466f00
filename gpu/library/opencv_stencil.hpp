// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stencil/operator.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <string>

namespace warplens::gpu::library {

/// OpenCV sums nine products in its own order, four of them with a weight of 0: its bound is this many times the
/// kernels'.
constexpr double kOpencvStencilBoundFactor = 2;

/// How its definition differs, for the record.
std::string opencvStencilNote();

/// Steps of a 2D cross by cv::filter2D with a 3 x 3 matrix on all cores, slice by slice; faces and regions that are
/// held are put back after each step, within the time. A tolerance is not looked at. Returns the f32 field;
/// `milliseconds` is what the steps alone took.
io::Grid opencvIterate(const io::Grid& input, const stencil::Operator& op, std::int64_t steps, int channels,
                       double& milliseconds);

}  // namespace warplens::gpu::library
