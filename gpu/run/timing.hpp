// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/runner.hpp"

#include <stop_token>
#include <vector>

namespace warplens::gpu {

/// Runs a kernel variant for its result, which it verifies not: fills in launch facts, result, layout and download
/// times. Returns the milliseconds of that run; on a GPU one more went before it, which loads the kernel's code, unless
/// that is `loaded`.
double makeResult(Device& device, Session& session, const Variant& variant, RunRecord& record, bool loaded = false);

/// Launches inside one event pair, for a kernel of so many milliseconds: as many as make it long beside the half
/// microsecond that events resolve.
int repeatsFor(double ms);

/// Whether samples are enough: the interval is narrow, the maximum is reached or the budget is spent; never under
/// `floor`.
bool enough(const TimingPolicy& policy, const std::vector<double>& ms, double spentSeconds, int floor);

/// Runs a kernel variant once for its result, then as often as the policy asks for its time; fills in the record.
/// A policy of one sample takes one launch where the row's code is `loaded`.
void runKernelRow(Device& device, Session& session, const Variant& variant, const TimingPolicy& policy,
                  std::stop_token stop, RunRecord& record, bool loaded = false);

/// The same for a row that touches no device of ours (onHost()): a library row on a steady clock, a portable one by its
/// own.
void runHostRow(const Problem& problem, const Variant& variant, const TimingPolicy& policy, std::stop_token stop,
                RunRecord& record);

}  // namespace warplens::gpu
