// SPDX-License-Identifier: Apache-2.0
#include "app/cli/resources.hpp"

#include "app/cli/exit_status.hpp"
#include "gpu/run/tuning/files.hpp"
#include "io/program_path.hpp"

#include <cstdlib>

namespace warplens::cli {

std::filesystem::path resourceFolder() {
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv("WARPLENS_RESOURCES"); chosen != nullptr && *chosen != '\0') return chosen;
    std::error_code failed;
    const fs::path program = io::programFile();
    if (program.empty()) return {};
    const fs::path installed = program.parent_path().parent_path() / "share" / "warplens";
    if (fs::is_directory(installed / "recorded", failed)) return installed;
    fs::path above = program.parent_path();
    for (int level = 0; level < 5 && above.has_relative_path(); ++level, above = above.parent_path()) {
        if (fs::is_directory(above / "resources" / "recorded", failed)) return above / "resources";
    }
    return {};
}

gpu::RecordedRuns loadRecorded() {
    auto recorded = gpu::loadRecorded(resourceFolder() / "recorded");
    if (const auto& problems = recorded.problems(); !problems.empty()) {
        const auto more = problems.size() - 1;
        printError("warning: " + problems.front() +
                   (more == 0 ? "" : "; and " + std::to_string(more) + " more recorded runs that cannot be used"));
    }
    return recorded;
}

std::shared_ptr<const gpu::Tuning> loadTuning() {
    auto tuning = gpu::tuning::load(resourceFolder() / "tuning", gpu::tuning::cacheFolder());
    if (!tuning->problems().empty()) printError("warning: " + tuning->problems());
    return tuning;
}

}  // namespace warplens::cli
