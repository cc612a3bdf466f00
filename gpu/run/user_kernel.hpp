// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/runner.hpp"

#include <stop_token>

namespace warplens::gpu {

/// What a kernel of the user's is run on.
struct UserKernelTask {
    const Problem& problem;
    const Request& request;
    const DeviceInfo& device;
};

/// A kernel of the user's. Its code is never part of this process: whoever implements this has a process for it.
class UserKernel {
public:
    virtual ~UserKernel() = default;
    /// Of its id, sentence and tunables; no row of any family.
    virtual const Variant& variant() const = 0;
    /// Fills in result, launch and times, as the request's policy wants them. Of a kernel that does what it must not
    /// the record says so. Throws Error: what could not be tried, and Error(cancelled).
    virtual void run(const UserKernelTask& task, RunRecord& record, const std::stop_token& stop) const = 0;
};

}  // namespace warplens::gpu
