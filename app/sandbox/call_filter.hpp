// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::sandbox {

// Each holds for this process from now on, and for those that it starts. No new privileges must have been asked for.
// False when the kernel has no seccomp or we have no list for this processor.

/// Refuses, with EPERM, every system call that decoding does not take.
bool filterCalls();
/// Raises SIGSYS at every call that a kernel of the user's does not take: it computes, and may write to files that are
/// open. While it is `loading`, files may be read.
bool filterKernelCalls(bool loading);
/// Raises SIGSYS at what neither a kernel's launcher takes nor a GPU's driver beside it: processes, programs, sockets.
/// Of this thread and those that it starts.
bool filterCallsBesideDriver();
/// Refuses what no compiler takes, sockets for one.
bool filterCompilerCalls();

/// Whether they would work here.
bool canFilterCalls();

}  // namespace warplens::sandbox
