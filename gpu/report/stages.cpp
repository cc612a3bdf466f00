// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/stages.hpp"

#include "gpu/report/run_columns.hpp"
#include "gpu/report/table.hpp"

#include <algorithm>

namespace warplens::gpu {

std::optional<double> Stages::total() const {
    if (!kernel) return std::nullopt;
    return *kernel + exposed().value_or(0) + display.value_or(0);
}

std::optional<double> Stages::exposed() const {
    if (!upload && !layout && !download) return std::nullopt;
    return upload.value_or(0) + layout.value_or(0) + download.value_or(0);
}

Stages stagesOf(const RunRecord& run, const std::optional<double>& displayMs) {
    Stages stages{run.uploadMs, run.layoutMs, std::nullopt, run.downloadMs, displayMs};
    if (run.time && run.status == Status::ok) stages.kernel = run.time->medianMs;
    return stages;
}

TextTable stagesTable(const Report& report) {
    TextTable table = columnsTable(report, besideOf(report), RunColumn::Where::stages);
    table.title = "Where the time goes";
    const auto any = [&](auto what) { return std::ranges::any_of(report.runs, what); };
    const bool transfers =
        any([](const ReportRun& run) { return run.record.time && stagesOf(run.record, run.displayMs).exposed(); });
    if (!transfers) return {};
    table.notes.push_back(
        "Exposed: upload, layout and download that run while nothing else does, which is all of them: stages "
        "follow one another.");
    if (any([](const ReportRun& run) { return run.record.time && run.record.uploadMs == 0.0; }))
        table.notes.push_back("No upload: the input lay on the device already.");
    if (!report.device.ranks())
        table.notes.push_back("Times by the CPU device's own clock, which rank nothing and say nothing about a GPU's.");
    return table;
}

}  // namespace warplens::gpu
