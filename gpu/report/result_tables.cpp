// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/result_tables.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/stages.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace warplens::gpu {

namespace {

/// `files`: the kinds of file that take this table whole; none where -o writes something else.
TextTable shown(const Table& table, const std::string& run, const std::string& files) {
    TextTable text;
    text.title = (table.title.empty() ? table.id : table.title) + ", by " + run;
    for (const Column& column : table.columns) {
        const std::string& title = column.title.empty() ? column.id : column.title;
        text.columns.push_back({column.unit.empty() ? title : title + " " + column.unit, std::nullopt,
                                !std::holds_alternative<Column::Texts>(column.values)});
    }
    const std::size_t rows = table.rows() + table.omitted;
    if (rows > kMostShownRows) {
        text.notes.push_back(withCommas(static_cast<std::int64_t>(rows)) + " rows" +
                             (files.empty() ? "." : "; -o with a name in " + files + " writes them."));
        return text;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        auto& cells = text.rows.emplace_back();
        for (const Column& column : table.columns) cells.push_back(column.text(row));
    }
    return text;
}

}  // namespace

std::vector<TextTable> resultTables(const Report& report) {
    const Family* family = findFamily(report.family);
    if (family == nullptr || !family->info().makesTables) return {};
    const auto run = std::ranges::find_if(report.runs, [](const ReportRun& one) {
        return one.record.status == Status::ok && !one.record.result.tables.empty();
    });
    std::vector<TextTable> tables;
    if (run == report.runs.end()) return tables;
    // -o writes the first table, or the picture where there is one and its name is not in .csv.
    std::string files = run->record.result.picture != nullptr ? ".csv" : ".csv or .npy";
    for (const auto& table : run->record.result.tables) {
        tables.push_back(shown(*table, run->record.id(), files));
        files.clear();
    }
    return tables;
}

std::vector<TextTable> furtherTables(const Report& report) {
    std::vector<TextTable> tables{stagesTable(report), errorTable(report)};
    std::erase_if(tables, [](const TextTable& table) { return table.rows.empty(); });
    std::ranges::move(resultTables(report), std::back_inserter(tables));
    return tables;
}

}  // namespace warplens::gpu
