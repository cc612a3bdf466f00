// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::bilateral {

/// What the user may choose.
struct Chosen {
    int radius = 5;
    double sigmaSpace = 3, sigmaValue = 10;
    Border border{};
    Alpha alpha{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::bilateral
