// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"

#include <optional>
#include <string>

namespace warplens::gpu {

// What every row goes through before and after it runs, whoever runs it: the runner one row after the other, a race all
// in turn.

/// The chosen tunables that this variant has.
TunableValues tunablesFor(const Variant& variant, const TunableValues& chosen);

/// All parameters of the family, those not given at their default.
ParameterValues withDefaults(const Family& family, const ParameterValues& values);

/// A library on the host has a clock of its own, and so has a portable row, wherever it runs: neither touches the
/// device of the request. A library on the GPU is launched and timed like a kernel.
bool onHost(const Variant& variant);

/// Whether `auto` took it from a library on the host, which then refused, failed or made what the check calls wrong:
/// a kernel is to do it.
bool failedOnHost(const RunRecord& record);

/// A record of the variant with its tunables and footprint; unsupported, with the reason, where it cannot run so.
RunRecord makeRunRecord(const std::string& family, const Problem& problem, const Variant& variant,
                        const TunableValues& chosen, const DeviceInfo& device);

/// What of the work was done: an iteration may have stopped at its tolerance.
Work completedWork(Work work, const RunRecord& record, const ParameterValues& parameters);

/// Fills in bandwidth and share of the limit (gpu/run/limit.hpp) of a row that made `values` values. `sets` buffers
/// were used in turn.
void rate(RunRecord& record, const Work& work, std::int64_t values, const DeviceInfo& device,
          const std::optional<Limits>& limits, int sets = 1);

/// Says in the record what befell the row. One that cannot run here, or has no memory for what it alone needs, is
/// unsupported.
void applyError(RunRecord& record, const Error& error);

/// Keeps the check; a kernel that is wrong loses its time.
void applyVerification(RunRecord& record, const Verification& verification);

}  // namespace warplens::gpu
