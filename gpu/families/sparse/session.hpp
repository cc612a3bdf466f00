// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/problem.hpp"

namespace warplens::gpu::sparse {

/// Puts the problem on the device; the picture's planes are uploaded unless `resident` holds them already. The problem
/// must outlive the session.
std::unique_ptr<Session> openSession(const SparseProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::sparse
