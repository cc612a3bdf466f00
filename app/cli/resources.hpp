// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace warplens::cli {

/// The folder that holds samples and recorded runs: WARPLENS_RESOURCES when set, else `resources` above the running
/// program (build tree) or ../share/warplens beside it (installed). Empty when there is none.
std::filesystem::path resourceFolder();

}  // namespace warplens::cli
