// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/reduction/problem.hpp"

namespace warplens::gpu::reduction {

/// Puts the problem on the device; its values are uploaded unless `resident` holds them already. The problem must
/// outlive the session.
std::unique_ptr<Session> openSession(const ReductionProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::reduction
