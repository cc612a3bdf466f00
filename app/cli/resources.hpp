// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

namespace warplens::gpu {
class Tuning;
}

namespace warplens::cli {

/// The folder that holds samples and recorded runs: WARPLENS_RESOURCES when set, else `resources` above the running
/// program (build tree) or ../share/warplens beside it (installed). Empty when there is none.
std::filesystem::path resourceFolder();

/// What `auto` chooses by: the shipped tables and the user's cache. A file that cannot be used is told in one line on
/// stderr.
std::shared_ptr<const gpu::Tuning> loadTuning();

}  // namespace warplens::cli
