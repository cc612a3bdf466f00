// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/recorded.hpp"

#include <filesystem>
#include <memory>

namespace warplens::gpu {
class Tuning;
}

namespace warplens::cli {

/// The folder that holds samples and recorded runs: WARPLENS_RESOURCES when set, else `resources` above the running
/// program (build tree) or ../share/warplens beside it (installed). Empty when there is none.
std::filesystem::path resourceFolder();

/// The recorded runs shipped with the program. Those that cannot be used are told in one line on stderr.
gpu::RecordedRuns loadRecorded();

/// What `auto` chooses by: the shipped tables and the user's cache. A file that cannot be used is told in one line on
/// stderr.
std::shared_ptr<const gpu::Tuning> loadTuning();

}  // namespace warplens::cli
