// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/bench/suite.hpp"
#include "gpu/report/report.hpp"
#include "gpu/run/limit.hpp"
#include "gpu/run/tuning.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::bench {

/// A case and what came of it: a report as `compare` writes it, whose rows were timed in turn; or why there is none.
struct CaseResult {
    Case what;
    std::optional<Report> report;
    std::string problem;
    Traits traits{};  ///< of the problem; empty when there was none
};

/// A whole run of the benchmark.
struct Result {
    std::string version;
    Environment environment;
    DeviceInfo device;
    std::optional<Limits> limits;  ///< measured in the same process, before the cases
    std::string goalsOn;           ///< the GPU that the goals were set for
    int scale = 1;                 ///< extents are those of the cases divided by this
    std::vector<CaseResult> cases;
    std::vector<std::string> peers;  ///< what was merged, in words
    bool interrupted = false;
    std::optional<Drawing> drawn{};  ///< of the suite "random"

    /// Whether goals apply: the GPU they were set for, and inputs at full size.
    bool hasGoals() const { return scale == 1 && device.name == goalsOn; }
};

/// The fastest row of a kind that is right and whose id matches `rows`, among those timed by CUDA events if there are
/// any such; null when there is none. A row whose check reached no value has no rank; the row of `auto` is left out,
/// and so is a kernel that is not exact unless `rows` asks for it by name. Libraries that are exact go before others.
const ReportRun* fastest(const Report& report, Variant::Kind kind, const std::vector<std::string>& rows = {});
/// The fastest library row: on the GPU's clock if there is one, else on its own.
const ReportRun* bestPeer(const Report& report);

/// The row of `auto`, timed; null when there is none.
const ReportRun* autoRow(const Report& report);

/// The rankings of all cases as a table for `auto`; cases of the same traits are combined. A benchmark of an earlier
/// version has none.
TuningTable tableOf(const Result& result);

/// Of a row of a report. Modelled work over measured limits; 0 where there are none.
Floors floorsOf(const Report& report, const ReportRun& run);

/// How close a row comes to what the machine can do. Nothing without limits, or without a time of the GPU's clock.
std::optional<ShareOfLimit> shareOfLimit(const Report& report, const ReportRun& run);
/// Which limit that is: "copy", "read", "write" or "FMA".
std::string nameOfLimit(const Report& report, const ShareOfLimit& share);

/// 1e9 cells x steps a second; nothing but for families that iterate.
std::optional<double> gcellsOf(const Report& report, const ReportRun& run);

/// What a goal came to.
struct Outcome {
    const ReportRun* run = nullptr;  ///< the best of the goal's rows; null when none was timed
    std::optional<double> reached;   ///< in the goal's metric
    bool met = false;
};
Outcome judge(const Goal& goal, const CaseResult& result, const Result& all);

/// The JSON document (resources/schema/bench.schema.json), and back. Reading throws io::Error(unreadable) that begins
/// with `where`.
std::string toJson(const Result& result);
Result parseResult(const std::string& json, const std::string& where);

/// Adds the rows of peers, as scripts/bench-peers writes them, to the cases of the same id. Throws
/// io::Error(unreadable), and Error(argument) when they were measured on another GPU or at another scale.
void mergePeers(Result& result, const std::string& json, const std::string& where);

}  // namespace warplens::gpu::bench
