// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/components/problem.hpp"

namespace warplens::gpu::components {

/// The problem on a device.
std::unique_ptr<Session> openSession(const ComponentsProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::components
