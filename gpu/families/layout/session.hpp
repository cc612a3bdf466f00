// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/layout/problem.hpp"

namespace warplens::gpu::layout {

/// Puts the problem on the device; planes are uploaded unless `resident` holds them already, pixels that are to be
/// parted as they are. The problem must outlive the session.
std::unique_ptr<Session> openSession(const LayoutProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::layout
