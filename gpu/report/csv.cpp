// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/table.hpp"
#include "gpu/report/run_columns.hpp"
#include "gpu/report/table.hpp"

#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace warplens::gpu {

namespace {

std::string csvText(std::monostate) { return ""; }
std::string csvText(std::int64_t value) { return std::to_string(value); }
std::string csvText(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string csvText(const std::string& value) { return csvField(value); }

std::string csvText(const RunColumn::Value& value) {
    return std::visit([](const auto& held) { return csvText(held); }, value);
}

/// What stands before a run's columns in every row: of what the runs are.
struct Field {
    const char* name;
    RunColumn::Value (*value)(const Report& report);
};

using R = const Report&;
constexpr Field kFields[] = {
    {"input", [](R r) -> RunColumn::Value { return r.input.name; }},
    {"width", [](R r) -> RunColumn::Value { return r.input.shape.width; }},
    {"height", [](R r) -> RunColumn::Value { return r.input.shape.height; }},
    {"depth", [](R r) -> RunColumn::Value { return r.input.shape.depth; }},
    {"channels", [](R r) -> RunColumn::Value { return std::int64_t{r.input.shape.channels}; }},
    {"type", [](R r) -> RunColumn::Value { return r.input.type; }},
    {"family", [](R r) -> RunColumn::Value { return r.family; }},
    {"parameters", [](R r) -> RunColumn::Value { return parameterSummary(r); }},
    {"device", [](R r) -> RunColumn::Value { return r.device.id; }},
};

}  // namespace

std::string toCsv(const Report& report) {
    std::string text, about;
    for (const Field& fact : kFields) {
        text += fact.name + std::string(",");
        about += csvText(fact.value(report)) + ",";
    }
    std::vector<const RunColumn*> columns;
    for (const RunColumn& column : runColumns()) {
        if (*column.field != '\0') columns.push_back(&column);
    }
    for (const RunColumn* column : columns)
        text += column->field + std::string(column == columns.back() ? "\r\n" : ",");
    const RunsBeside beside = besideOf(report);
    for (const ReportRun& run : report.runs) {
        text += about;
        for (const RunColumn* column : columns)
            text += csvText(column->value(run.record, beside)) + (column == columns.back() ? "\r\n" : ",");
    }
    return text;
}

}  // namespace warplens::gpu
