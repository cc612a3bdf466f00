// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/text_table.hpp"
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

/// The sweep as people read it: over one axis the times of each variant, over two the fastest variant of each cell and
/// by how much (of one variant its times), the best of what does the same work, and why cells were refused. Of a CPU it
/// says that nothing follows.
std::vector<TextTable> sweepTables(const Sweep& sweep);
/// "convolution of noise by radius and size, 9 variants on NVIDIA H200: 36 of 36 cells"
std::string sweepTitle(const Sweep& sweep);
/// Title and tables for a terminal, as Markdown, and as a page of HTML that loads nothing.
std::string sweepText(const Sweep& sweep);
std::string sweepMarkdown(const Sweep& sweep);
std::string sweepHtml(const Sweep& sweep);
/// A line a run of a cell, CRLF, quoted as RFC 4180 says.
std::string sweepCsv(const Sweep& sweep);

/// The endings of a sweep's file, for messages.
inline constexpr const char* kSweepEndings = ".sweep.json, .csv, .md or .html";
bool isSweepName(const std::string& path);
/// In the form that the name ends in, one of those.
std::string sweepFile(const Sweep& sweep, const std::string& path);

}  // namespace warplens::gpu
