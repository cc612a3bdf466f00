// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/stencil/problem.hpp"

namespace warplens::gpu::stencil {

/// Puts the problem on the device; the input is uploaded unless `resident` holds it already. The problem must outlive
/// the session.
std::unique_ptr<Session> openSession(const StencilProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::stencil
