// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::worker {

/// Answers one request on standard input, whose planes lie in memory that is open as io::ChildProcess::kDoneFile.
/// The kernel is compiled, loaded and run in processes of their own. Returns the exit status.
int serve();

}  // namespace warplens::worker
