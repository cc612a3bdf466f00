// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/merge/parameters.hpp"
#include "io/grid.hpp"

#include <stop_token>

namespace warplens::gpu::library {

/// std::merge of sorted halves, or std::sort, channel by channel on one core. Returns the milliseconds of those calls.
double stdMerge(const io::Grid& input, merge::Task task, io::Grid& output, const std::stop_token& stop);

}  // namespace warplens::gpu::library
