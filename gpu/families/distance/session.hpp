// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/distance/problem.hpp"

namespace warplens::gpu::distance {

/// Puts the problem on the device; the picture is uploaded unless `resident` holds it already. The problem must outlive
/// the session. Throws Error(outOfMemory).
std::unique_ptr<Session> openSession(const DistanceProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::distance
