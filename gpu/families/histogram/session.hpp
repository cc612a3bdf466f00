// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/histogram/problem.hpp"

namespace warplens::gpu::histogram {

/// Puts the problem on the device; its values are uploaded unless `resident` holds them already. The problem must
/// outlive the session.
std::unique_ptr<Session> openSession(const HistogramProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::histogram
