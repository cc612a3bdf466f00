// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A comparison as people read it. Text, Markdown and HTML draw the same table.
struct TextTable {
    struct Column {
        std::string title;
        std::optional<Origin> origin;
        bool number = false;  ///< aligned right
    };
    std::string title;                           ///< what was compared, on what
    std::vector<Column> columns;                 ///< a column that no row fills is left out
    std::vector<std::vector<std::string>> rows;  ///< in ladder order, a cell a column
    std::vector<std::string> notes;              ///< full sentences to stand below
};

/// `recorded` is an earlier run of the same request on a GPU, or null; it fills a column where no CUDA clock ran.
TextTable makeTable(const Report& report, const Report* recorded = nullptr);

/// The kernel row that verdicts compare with: the first that is ok and was timed by CUDA events. Null when there is
/// none.
const ReportRun* baselineOf(const Report& report);

/// "faster 3.79x", "same" ..., "baseline", or why there is no verdict.
std::string verdictCell(const ReportRun& run, const ReportRun* baseline);

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

/// "M measured, R reported by driver or compiler", for the letters that the table shows.
std::string legend(const TextTable& table);

/// Aligned columns for a terminal, legend and notes below.
std::string toText(const TextTable& table);
std::string toMarkdown(const Report& report, const Report* recorded = nullptr);
/// One row a run, raw numbers, JSON's field names; RFC 4180.
std::string toCsv(const Report& report);

}  // namespace warplens::gpu
