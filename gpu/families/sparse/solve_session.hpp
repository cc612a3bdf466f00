// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/problem.hpp"

namespace warplens::gpu::sparse {

/// Puts the equations of inpainting or cloning on the device. Every launch
/// solves them, from zero on. The problem must outlive the session.
std::unique_ptr<Session> openSolveSession(const SparseProblem& problem, Device& device);

}  // namespace warplens::gpu::sparse
