// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/recorded.hpp"
#include "gpu/report/report.hpp"
#include "gpu/report/stages.hpp"
#include "gpu/report/text_table.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>

namespace warplens::gpu {

/// What the rows of a run table are read beside.
struct RunsBeside {
    bool ranked = true;                        ///< whether the device's times rank kernels
    const RunRecord* baseline = nullptr;       ///< the row that verdicts compare with, timed; or null
    std::string baselineName{};                ///< may be known before it is timed
    std::optional<RecordedSource> recorded{};  ///< earlier runs of the same request on another GPU
    /// What showing a run's picture took, in ms; none: there is no window.
    std::function<std::optional<double>(const RunRecord& run)> displayMs{};
};

/// A column of the run table: what a row's cell is, as a number or text for scripts and for sorting, and as people read
/// it. Command line, CSV, Markdown, HTML and the window all read this.
struct RunColumn {
    /// Those that people see, in their order; the others are CSV's alone.
    enum Id {
#define WARPLENS_RUN_COLUMN(id, ...) id,
#define WARPLENS_CSV_FIELD(...)
#include "gpu/report/run_columns.inc"
#undef WARPLENS_RUN_COLUMN
#undef WARPLENS_CSV_FIELD
        csvOnly
    };
    static constexpr int kShown = csvOnly;
    enum class When { always, ranked, unranked, recorded };
    enum class Where { everywhere, tables, window, stages };  ///< stages: in the table of where the time goes

    /// A row that has none has std::monostate, or an empty text.
    using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

    Id id = csvOnly;
    const char* field = "";  ///< CSV's name, JSON's too where both have it; empty: not in CSV
    const char* title = "";
    const char* unrankedTitle = nullptr;  ///< where times rank nothing; null: the same
    const char* help = "";                ///< a sentence or two
    const char* unrankedHelp = nullptr;
    std::optional<Origin> origin{};  ///< of its numbers; none for names and words
    bool number = true;              ///< aligned right
    bool timed = false;              ///< made of the row's time: without one there is none
    When when = When::always;
    Where where = Where::everywhere;
    Value (*value)(const RunRecord& run, const RunsBeside& beside) = nullptr;
    std::string (*text)(const RunRecord& run, const RunsBeside& beside) = nullptr;
};

/// The rows of a report: beside its first right kernel, and, where times rank nothing, beside what `recorded`, which
/// may be null, has of them.
RunsBeside besideOf(const Report& report, const RecordedRuns* recorded = nullptr);

/// All of them, in CSV's order, which is that of the others as well.
std::span<const RunColumn> runColumns();
const RunColumn& runColumn(RunColumn::Id id);

/// Whether a column says anything beside this.
bool applies(const RunColumn& column, const RunsBeside& beside);
/// Names and the columns of `where` that some row fills, a row a run; no title, no notes.
TextTable columnsTable(const Report& report, const RunsBeside& beside, RunColumn::Where where);

/// "Median ms", "Against naive".
std::string titleOf(const RunColumn& column, const RunsBeside& beside);
std::string helpOf(const RunColumn& column, const RunsBeside& beside);
TextTable::Column headOf(const RunColumn& column, const RunsBeside& beside);

/// "H200" of "NVIDIA H200".
std::string shortName(const std::string& device);

}  // namespace warplens::gpu
