// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/figures.hpp"
#include "gpu/report/table.hpp"

#include <cstring>

namespace warplens::gpu {

namespace {

/// A file may be called anything; what Markdown would take for markup is escaped.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n') {
            out += ' ';
            continue;
        }
        if (std::strchr("\\`*_[]<>|", c) != nullptr) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

std::string toMarkdown(const Report& report, const Report* recorded) {
    const TextTable table = makeTable(report, recorded);
    std::string text = "## " + escaped(table.title) + "\n\n";
    std::string rule;
    for (const TextTable::Column& column : table.columns) {
        text += "| " + escaped(column.title) + (column.origin ? std::string(" ") + letterOf(*column.origin) : "") + " ";
        rule += column.number ? "|---:" : "|---";
    }
    text += "|\n" + rule + "|\n";
    for (const auto& row : table.rows) {
        for (const std::string& cell : row) text += "| " + escaped(cell) + " ";
        text += "|\n";
    }
    text += "\n" + legend(table) + "\n";
    for (const std::string& note : table.notes) text += "\n- " + escaped(note);
    const Environment& environment = report.environment;
    text += "\n- Warplens " + escaped(report.version) + ", " + escaped(environment.date) + ", " +
            escaped(environment.os) + ", " + escaped(environment.cpu) + ", " + escaped(environment.compiler) +
            "; input " + report.input.hash + "\n";
    return text;
}

}  // namespace warplens::gpu
