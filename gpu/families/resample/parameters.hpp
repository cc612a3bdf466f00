// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/resample/arguments.hpp"
#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::resample {

/// What the user may choose.
struct Chosen {
    enum class Task { resize, rotate };
    enum class Canvas { grow, keep };

    Task task{};
    Method method{};
    double magnification = 0.5;
    int width = 0, height = 0;
    bool antialias = true;
    double angle = 10;  ///< degrees, clockwise
    Canvas canvas{};
    Border border{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::resample
