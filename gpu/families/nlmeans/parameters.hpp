// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::nlmeans {

/// What the user may choose.
struct Chosen {
    int patch = 2, search = 5;       ///< radii
    double strength = 4, noise = 0;  ///< in percent of the type's full range
    Border border{};
    Alpha alpha{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::nlmeans
