// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Reports measured earlier on a named GPU and shipped with the program (resources/recorded/README.md).
struct RecordedRuns {
    std::vector<Report> reports;        ///< by path
    std::vector<std::string> problems;  ///< a sentence for each file that is not a recorded run
};

/// Reads every *.json below `folder`. A missing folder holds nothing; a bad file costs itself alone. Never throws.
RecordedRuns loadRecorded(const std::filesystem::path& folder);

/// The recorded run of the same family and parameters that recordedLike() puts first.
/// Null when there is none. The pointer lives as long as `runs`.
const Report* findRecorded(const RecordedRuns& runs, const Report& report);

/// All recorded runs of the same family and parameters: of a volume runs on volumes first, of a histogram those whose
/// values are of the same kind ("gradient"), then the nearest in size, the newest of equals.
std::vector<const Report*> recordedLike(const RecordedRuns& runs, const Report& report);

}  // namespace warplens::gpu
