// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"

namespace warplens::gpu::merge {

/// In the order of the parameter's choices.
enum class Task { merge, sort, quantiles };

/// What the user may choose.
struct Chosen {
    Task task{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::merge
