// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/layout/task.hpp"
#include "gpu/frame/bound_parameters.hpp"

#include <string>

namespace warplens::gpu::layout {

/// What the user may choose for a layout.
struct Chosen {
    Task task{};
    std::string order{}, box{};
    int step = 1;
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::layout
