// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplens::worker {

/// Answers one request on standard input, whose planes lie in memory that is open as io::ChildProcess::kDoneFile.
/// The kernel is compiled, loaded and run in processes of their own, the last of which is there, with a GPU's context,
/// before the request is; without one for minutes it ends. `device`: its id; empty: nothing will be run. Returns the
/// exit status.
int serve(const std::string& device);

}  // namespace warplens::worker
