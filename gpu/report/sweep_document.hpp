// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/sweep.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplens::gpu {

/// How the name of a sweep's file ends, which tells it from a report.
inline constexpr const char* kSweepEnding = ".sweep.json";

/// The JSON document of resources/schema/sweep.schema.json, two spaces of indentation.
std::string toJson(const Sweep& sweep);

/// Reads it back. Throws io::Error(unreadable) that begins with `where` and names what is wrong.
Sweep parseSweep(const std::string& json, const std::string& where);
/// Reads it from a file. Throws io::Error(unreadable).
Sweep loadSweep(const std::string& path);

/// A sweep and the file it was read from.
struct StoredSweep {
    std::filesystem::path path;
    Sweep sweep;
};
/// Every *.sweep.json below `folder`, by path; a missing folder holds nothing. A bad file costs itself alone and gives
/// a sentence in `problems`. Never throws.
std::vector<StoredSweep> loadSweeps(const std::filesystem::path& folder, std::vector<std::string>& problems);

/// The map as people read it: one line a value, one column a size, the fastest variant and by how much; of a CPU it
/// says that nothing follows.
std::string sweepText(const Sweep& sweep);

}  // namespace warplens::gpu
