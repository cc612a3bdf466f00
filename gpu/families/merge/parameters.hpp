// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"

#include <cstdint>
#include <memory>

namespace warplens::gpu::merge {

// In the order of the parameters' choices.
enum class Task { merge, sort, quantiles };
enum class ListOrder { sort, given };

/// What the user may choose.
struct Chosen {
    Task task{};
    std::shared_ptr<const NamedGrid> with{};
    std::int64_t first = 0;  ///< values of the first list; 0: half of them
    ListOrder lists{};
    std::int64_t rank = -1;  ///< whose co-rank is searched step by step; -1: none
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::merge
