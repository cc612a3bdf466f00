// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"
#include "gpu/trace/findings.hpp"
#include "gpu/trace/global_memory.hpp"
#include "gpu/trace/kernel_run.hpp"

#include <vector>

namespace warplens::gpu::trace {

/// Puts a run's tallies together: each kind of block scaled to its number, addresses turned into source lines. `input`
/// is the buffer whose reuse is told, or null.
Counters summarise(const std::vector<KernelRun>& runs, const std::vector<Finding>& findings,
                   const std::vector<const Allocation*>& allocations, const Allocation* input);

}  // namespace warplens::gpu::trace
