// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/result_tables.hpp"
#include "gpu/report/table.hpp"

namespace warplens::gpu {

std::string toMarkdown(const Report& report, const RecordedRuns* recorded) {
    const TextTable table = makeTable(report, recorded);
    std::string text = "## " + markdownText(table.title) + "\n\n" + markdownTable(table);
    text += "\n" + legend(table) + "\n";
    for (const std::string& note : table.notes) text += "\n- " + markdownText(note);
    const Environment& environment = report.environment;
    text += "\n- Warplens " + markdownText(report.version) + ", " + markdownText(environment.date) + ", " +
            markdownText(environment.os) + ", " + markdownText(environment.cpu) + ", " +
            markdownText(environment.compiler) + "; input " + report.input.hash + "\n";
    for (const TextTable& result : furtherTables(report)) {
        text += "\n### " + markdownText(result.title) + "\n\n" + (result.rows.empty() ? "" : markdownTable(result));
        for (const std::string& note : result.notes) text += markdownText(note) + "\n";
    }
    return text;
}

}  // namespace warplens::gpu
