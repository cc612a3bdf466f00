// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"

#include <string>

namespace warplens::gpu::stencil {

/// What the user may choose.
struct Chosen {
    std::string stencil{}, dimensions{};
    std::int64_t iterations = 0, residualEvery = 0;
    double diffusivity = 1, step = 0, amount = 0, tolerance = 0;
    bool force = false;
    std::string coefficients{}, weights27{}, regions{};
    enum class OutputType { f32, same } outputType{};
    Alpha alpha{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::stencil
