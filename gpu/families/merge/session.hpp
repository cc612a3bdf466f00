// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/merge/problem.hpp"

namespace warplens::gpu::merge {

/// The problem on a device, a merge's halves sorted.
std::unique_ptr<Session> openSession(const MergeProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::merge
