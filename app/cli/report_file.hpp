// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/report/recorded.hpp"

#include <string>

namespace warplens::cli {

/// Throws ArgumentError when `path` is neither empty nor ends in .json, .csv, .md or .html.
void checkReportName(const std::string& path);

/// "R.json" with the input's stem inserted: "R.photo.json".
std::string reportNameFor(const std::string& path, const std::string& stem);

/// Whether a report of that name shows the pictures of the comparison.
bool showsPictures(const std::string& path);

/// Writes the report of the comparison in the format its name ends in, atomically. Throws io::Error(unwritable).
void writeReport(const std::string& path, const gpu::Report& report, const gpu::Comparison& comparison,
                 const gpu::RecordedRuns& recorded);
/// The same without pictures.
void writeReport(const std::string& path, const gpu::Report& report, const gpu::RecordedRuns& recorded);

}  // namespace warplens::cli
