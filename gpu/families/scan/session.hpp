// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/scan/problem.hpp"

namespace warplens::gpu::scan {

/// The problem on a device, kernel after kernel of its task.
std::unique_ptr<Session> openSession(const ScanProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::scan
