// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/operator.hpp"
#include "gpu/families/stencil/schedule.hpp"
#include "io/grid.hpp"

#include <stop_token>
#include <string>

namespace warplens::gpu::library {

/// OpenCV sums nine products in its own order, four of them with a weight of 0: its bound is this many times the
/// kernels'.
constexpr double kOpencvStencilBoundFactor = 2;

/// How its definition differs, for the record.
std::string opencvStencilNote();

/// Steps of a 2D cross by cv::filter2D with a 3 x 3 matrix on all cores, slice by slice; faces and regions that are
/// held are put back after each step, and the largest change is found as the schedule says, within the time. Returns
/// the f32 field; `evolution` is how it went, `milliseconds` what the steps alone took. Stopping throws
/// Error(cancelled) after the slice under way.
io::Grid opencvIterate(const io::Grid& input, const stencil::Operator& op, const stencil::Schedule& schedule,
                       int channels, Evolution& evolution, double& milliseconds, std::stop_token stop);

}  // namespace warplens::gpu::library
