// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"

namespace warplens::gpu::binary {

/// What the user may choose.
struct Chosen {
    enum class Task { fillHoles, skeleton } task{};
    Parameter::Value level{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::binary
