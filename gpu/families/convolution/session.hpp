// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/problem.hpp"

namespace warplens::gpu::convolution {

/// Puts the problem on the device; the input is uploaded unless `resident` holds it already. What does not fit the
/// memory that may be used goes over in slabs. The problem must outlive the session. Throws Error(outOfMemory).
std::unique_ptr<Session> openSession(const ConvolutionProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::convolution
