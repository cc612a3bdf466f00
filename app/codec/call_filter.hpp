// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::codec {

/// Refuses from now on, with EPERM, every system call of this process that decoding does not take. No new privileges
/// must have been asked for. False when the kernel has no seccomp or we have no list for this processor.
bool filterCalls();

/// Whether filterCalls() would work here.
bool canFilterCalls();

}  // namespace warplens::codec
