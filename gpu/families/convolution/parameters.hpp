// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"

#include <string>

namespace warplens::gpu::convolution {

/// What the user may choose.
struct Chosen {
    std::string filter{}, matrix{};
    int radius = 0;
    double sigma = 0, amount = 0, angle = 0;
    Dimensions dimensions{};
    enum class SigmaUnit { voxels, millimetres } sigmaUnit{};
    bool normalise = false;
    Border border{};
    enum class OutputType { automatic, same, f32 } outputType{};
    double offset = 0;
    Alpha alpha{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::convolution
