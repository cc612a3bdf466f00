// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplens::worker {

/// Answers one request on standard input, whose planes lie in memory that is open as io::ChildProcess::kDoneFile.
/// The kernel is compiled, loaded and run in processes of their own. With a GPU's id its context is made while no
/// request is there yet; one that waits for minutes ends. Returns the exit status.
int serve(const std::string& device);

}  // namespace warplens::worker
