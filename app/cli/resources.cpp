// SPDX-License-Identifier: Apache-2.0
#include "app/cli/resources.hpp"

#include "app/cli/exit_status.hpp"
#include "gpu/run/tuning/files.hpp"

#include <cstdlib>

namespace warplens::cli {

std::filesystem::path resourceFolder() {
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv("WARPLENS_RESOURCES"); chosen != nullptr && *chosen != '\0') return chosen;
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (failed) return {};
    const fs::path installed = program.parent_path().parent_path() / "share" / "warplens";
    if (fs::is_directory(installed / "recorded", failed)) return installed;
    fs::path above = program.parent_path();
    for (int level = 0; level < 5 && above.has_relative_path(); ++level, above = above.parent_path()) {
        if (fs::is_directory(above / "resources" / "recorded", failed)) return above / "resources";
    }
    return {};
}

std::shared_ptr<const gpu::Tuning> loadTuning() {
    auto tuning = gpu::tuning::load(resourceFolder() / "tuning", gpu::tuning::cacheFolder());
    if (!tuning->problems().empty()) printError("warning: " + tuning->problems());
    return tuning;
}

}  // namespace warplens::cli
