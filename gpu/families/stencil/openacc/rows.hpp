// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/stencil/portable.hpp"

#include <string>

// The rows by OpenACC: each a file of directives around plain loops, compiled by a compiler that knows them.

namespace warplens::gpu::stencil {

/// Steps two arrays of step.cells() floats to and fro, the start in `now`; returns the one that holds the result.
using AccRow = float* (*)(const PlainStep& step, Steps& steps, float* now, float* next);

float* copyEveryStep(const PlainStep& step, Steps& steps, float* now, float* next);
float* resident(const PlainStep& step, Steps& steps, float* now, float* next);
/// Of one dimension alone.
float* cacheBlocked(const PlainStep& step, Steps& steps, float* now, float* next);

/// Where a region runs: "cpu", or what it is offloaded to.
std::string accPlace();

}  // namespace warplens::gpu::stencil
