// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/run/runner.hpp"

#include <functional>

namespace warplens::worker {

/// The same on the CPU device, once, of a corner of its pictures, with which that is done soon; of all of small ones.
gpu::Request cornerOf(const gpu::Request& request);

/// Runs a kernel on the CPU device and says in the record what came of it.
using Trial = std::function<void(const gpu::Problem& problem, const gpu::Request& request, gpu::RunRecord& record)>;

/// Whether a GPU may be given a kernel: it is tried before on such a corner. Where not, the record says why. What
/// cannot be tried, as a corner is no such task, is taken to survive. Throws what the trial does.
bool survivesOnCpu(const gpu::Request& request, gpu::RunRecord& record, const Trial& trial);

}  // namespace warplens::worker
