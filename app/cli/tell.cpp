// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tell.hpp"

#include "app/cli/exit_status.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/result_tables.hpp"
#include "gpu/report/table.hpp"
#include "io/printable.hpp"

namespace warplens::cli {

int statusOfRun(const gpu::Comparison& comparison) {
    const bool unsupported = !comparison.runs.empty() && comparison.runs.front().status == gpu::Status::unsupported;
    return unsupported ? static_cast<int>(kArguments) : statusOf(comparison);
}

RunMessages formatRun(const std::string& name, const gpu::Comparison& comparison, const std::filesystem::path& written,
                      bool quiet) {
    if (comparison.interrupted) return {.error = name + ": interrupted"};
    const gpu::RunRecord& run = comparison.runs.front();
    if (statusOfRun(comparison) != kFine || !run.time)
        return {.error = name + ": " + run.id() + " on " + comparison.device.id + ": " + gpu::nameOf(run.status) +
                         ": " + run.reason};
    if (quiet) return {};
    const std::string evolution = gpu::evolutionText(run, comparison.parameters);
    const std::string note = run.verification ? run.verification->note : "";
    std::string facts;  // what was taken where the picture says it: a level, a spacing
    for (const std::string& fact : comparison.facts) facts += "; " + io::printable(fact);
    RunMessages said{.out = io::printable(name) + ": " + run.family + ", " + run.id() + " on " + run.runsOn + ": " +
                            gpu::threeDigits(run.time->medianMs) + " ms (measured, " + gpu::nameOf(run.time->clock) +
                            "), " + gpu::checkText(run) + (note.empty() ? "" : " (" + note + ")") +
                            (evolution.empty() ? "" : "; " + evolution) +
                            (run.choice ? "; auto: " + run.choice->why : "") + facts +
                            (run.slabs ? "; " + comparison.plan : "") + (run.reason.empty() ? "" : "; " + run.reason) +
                            (written.empty() ? "" : "; wrote " + io::printable(written.string())) + "\n"};
    for (const gpu::TextTable& table : gpu::resultTables(gpu::makeReport(comparison))) said.out += gpu::toText(table);
    return said;
}

}  // namespace warplens::cli
