// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/flood/problem.hpp"

namespace warplens::gpu::flood {

/// Puts the picture on a device with keys, queue and levels beside it. Throws Error.
std::unique_ptr<Session> openSession(const FloodProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::flood
