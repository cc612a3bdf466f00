// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/recorded.hpp"
#include "gpu/report/report.hpp"
#include "gpu/report/text_table.hpp"

#include <string>

namespace warplens::gpu {

/// A comparison as people read it, rows in the order of the ladder; a column that no row fills is left out. `recorded`
/// may be null; what it has of these very runs fills a column where no CUDA clock ran.
TextTable makeTable(const Report& report, const RecordedRuns* recorded = nullptr);

/// The kernel row that verdicts compare with: the first that is ok and was timed by CUDA events. Null when there is
/// none.
const ReportRun* baselineOf(const Report& report);

/// "verified", "verified on 12 %", "wrong: ..." ...
std::string checkText(const RunRecord& run);

/// "stopped at the tolerance after 130 of 1,000 steps; the largest change in the last was 9.9e-07", for an iteration
/// whose changes were looked at; else empty. `parameters` are the request's.
std::string evolutionText(const RunRecord& run, const ParameterValues& parameters);

/// "8,192 x 8,192", with depth and channels where they say something.
std::string extents(const io::Shape& shape);

/// "filter gaussian, radius 2, sigma 0": the family's first parameter, what belongs to its value, and what is not at
/// its default.
std::string parameterSummary(const Report& report);

std::string toMarkdown(const Report& report, const RecordedRuns* recorded = nullptr);
/// One row a run, raw numbers, JSON's field names; RFC 4180.
std::string toCsv(const Report& report);

}  // namespace warplens::gpu
