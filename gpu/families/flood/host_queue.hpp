// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/flood/parameters.hpp"
#include "io/grid.hpp"

#include <stop_token>

namespace warplens::gpu::library {

/// A queue that one core of the host works off: what a program without a GPU would do. Milliseconds; `steps` is of i32.
/// Throws Error(cancelled).
double hostQueue(const io::Grid& input, const flood::Asked& asked, io::Grid& steps, const std::stop_token& stop);

}  // namespace warplens::gpu::library
