// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/run_columns.hpp"

#include "gpu/report/html.hpp"
#include "gpu/report/table.hpp"
#include "tests/gpu/report/sample_comparison.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace warplens {

using namespace gpu;

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Head and rows of the first table of a Markdown text, as a reader of it sees them.
Rows tableOfMarkdown(const std::string& text) {
    Rows rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() && !rows.empty()) break;  // another table may follow
        if (!line.starts_with('|') || line.starts_with("|--")) continue;
        rows.emplace_back();
        std::string cell;
        for (std::size_t i = 1; i < line.size(); ++i) {
            if (line[i] == '|') {
                rows.back().push_back(trimmed(cell));
                cell.clear();
            } else {
                cell += line[i] == '\\' ? line[++i] : line[i];
            }
        }
    }
    return rows;
}

/// The same of HTML: elements within a cell, such as an origin's glyph, count as their text.
Rows tableOfHtml(const std::string& html) {
    Rows rows;
    std::string text;
    for (std::size_t at = html.find("<thead>"); at < html.find("</tbody>"); ++at) {
        if (html[at] != '<') {
            text += html[at];
            continue;
        }
        const std::size_t end = html.find('>', at);
        const std::string tag = html.substr(at, end - at + 1);
        if (tag == "<tr>") rows.emplace_back();
        if (tag.starts_with("<td") || tag.starts_with("<th ")) text.clear();
        if (tag == "</td>" || tag == "</th>") {
            for (const auto& [what, with] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
                text = replaced(text, what, with);
            rows.back().push_back(text);
        }
        at = end;
    }
    return rows;
}

/// The same of a terminal's text: cells lie below their head, which no column's are wider than.
Rows tableOfText(const std::string& text, const TextTable& table) {
    Rows rows;
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);  // the title
    for (std::size_t row = 0; row <= table.rows.size(); ++row) {
        std::getline(lines, line);
        rows.emplace_back();
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t end = std::min(line.find("  ", at), line.size());
            rows.back().push_back(trimmed(line.substr(at, end - at)));
            at = line.find_first_not_of(' ', end);
        }
    }
    return rows;
}

/// What the columns say themselves: heads with their origin's letter, then a row a run.
Rows expected(const Report& report, const RunsBeside& beside) {
    Rows rows(report.runs.size() + 1);
    for (const RunColumn& column : runColumns()) {
        const bool table = column.where == RunColumn::Where::everywhere || column.where == RunColumn::Where::tables;
        if (column.id == RunColumn::csvOnly || !table || !applies(column, beside)) continue;
        rows[0].push_back(titleOf(column, beside) + (column.origin ? " " + std::string(letterOf(*column.origin)) : ""));
        for (std::size_t i = 0; i < report.runs.size(); ++i) {
            const std::string text = column.text(report.runs[i].record, beside);
            rows[i + 1].push_back(text.empty() ? "\u2013" : text);
        }
    }
    return rows;
}

Report ranked() { return makeReport(test::cudaComparison()); }

Report unranked() {
    Comparison comparison = test::cpuComparison();
    for (RunRecord& run : comparison.runs) run.launch = LaunchFacts{{1, 1, 1}, {32, 8, 1}, 0, 4096, 0, 1};
    return makeReport(comparison);
}

/// Every column that applies says something in these, so that none may be left out.
void sameEverywhere(const Report& report, const RecordedRuns* recorded) {
    const RunsBeside beside = besideOf(report, recorded);
    const Rows rows = expected(report, beside);
    EXPECT_GT(rows.front().size(), 6U);
    const TextTable table = makeTable(report, recorded);
    EXPECT_EQ(tableOfText(toText(table), table), rows) << toText(table);
    EXPECT_EQ(tableOfMarkdown(toMarkdown(report, recorded)), rows) << toMarkdown(report, recorded);
    EXPECT_EQ(tableOfHtml(toHtml(report, {.pictures = {}, .whyNoPictures = {}, .recorded = recorded})), rows);
}

}  // namespace

TEST(RunColumns, terminalMarkdownAndHtmlShowTheSameCells) {
    const RecordedRuns earlier({ranked()});
    sameEverywhere(ranked(), nullptr);
    sameEverywhere(unranked(), &earlier);
}

/// Scripts rely on it.
TEST(RunColumns, theHeadOfCsvIsAContract) {
    const std::string csv = toCsv(ranked());
    EXPECT_EQ(
        csv.substr(0, csv.find('\n') + 1),
        "input,width,height,depth,channels,type,family,parameters,device,variant,kind,runs_on,status,reason,clock,"
        "median_ms,q1_ms,q3_ms,min_ms,low_ms,high_ms,samples,l2,upload_ms,layout_ms,download_ms,bandwidth_gbs,"
        "percent_of_limit,grid,block,registers,shared_bytes,occupancy,max_abs_error,bound,checked_share,"
        "mismatches,id,display_ms,total_ms,exposed_ms,instance,compile_ms,yours\r\n");
    std::istringstream lines(csv);
    std::string line;
    for (int row = 0; row <= 1; ++row) std::getline(lines, line);
    EXPECT_EQ(
        line,
        "ramp|<b>.npy,4,3,1,1,f32,convolution,\"filter gaussian, radius 2, sigma 0\",cuda:0,naive,kernel,cuda:0,ok,,"
        "cuda-event,2,1.98,2.02,1.96,1.98,2.02,20,cold,0.5,,,50,1.25,1x1x1,32x8x1,40,4096,0.75,1e-07,1e-06,1,0,"
        "naive,,2.5,0.5,,,\r");
}

TEST(RunColumns, whatHasATitleHasHelpAndANumberAnOrigin) {
    int shown = 0;
    for (const RunColumn& column : runColumns()) {
        if (column.id == RunColumn::csvOnly) {
            EXPECT_STREQ(column.title, "") << column.field;
            EXPECT_STRNE(column.field, "");
            continue;
        }
        ++shown;
        EXPECT_EQ(&runColumn(column.id), &column);
        EXPECT_STRNE(column.title, "");
        ASSERT_NE(column.text, nullptr) << column.title;
        EXPECT_TRUE(column.id == RunColumn::variant || std::string(column.help).ends_with('.')) << column.title;
        EXPECT_TRUE(column.origin || !column.number || column.id == RunColumn::samples) << column.title;
    }
    EXPECT_EQ(shown, RunColumn::kShown);
}

TEST(RunColumns, aRunWithoutATimeHasNothingInATimedColumn) {
    const Report report = ranked();
    const RunsBeside beside{.baseline = &report.runs[0].record, .baselineName = "naive"};
    for (const RunColumn& column : runColumns()) {
        if (!column.timed) continue;
        EXPECT_EQ(column.text(report.runs[3].record, beside), "") << column.title;
        EXPECT_NE(column.text(report.runs[1].record, beside), "") << column.title;
    }
}

}  // namespace warplens
