// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::merge {

enum class Task { merge, sort, quantiles };

/// What the user may choose. Ids: task.
const std::vector<Parameter>& parameters();

/// Throws Error(argument) for what is out of range.
Task taskOf(const ParameterValues& values);

}  // namespace warplens::gpu::merge
