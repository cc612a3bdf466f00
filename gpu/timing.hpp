// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/family.hpp"
#include "gpu/runner.hpp"

#include <stop_token>

namespace warplens::gpu {

/// Runs a kernel variant once for its result, then as often as the policy asks for its time; fills in the record.
void runKernelRow(Device& device, Session& session, const Variant& variant, const TimingPolicy& policy, std::stop_token stop,
                  RunRecord& record);

/// The same for a library row, on a steady clock.
void runLibraryRow(const Problem& problem, const Variant& variant, const TimingPolicy& policy, std::stop_token stop,
                   RunRecord& record);

}  // namespace warplens::gpu
