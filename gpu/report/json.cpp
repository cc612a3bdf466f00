// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/fields.hpp"

namespace warplens::gpu {

fields::Json fields::toJson(const Report& report) {
    const InputFacts& input = report.input;
    Json named = Json::object();
    for (const auto& [field, origin] : origins()) named[field] = nameOf(origin);
    Json runs = Json::array();
    for (const ReportRun& run : report.runs) runs.push_back(fields::toJson(run));
    Json work{{"traffic", nameOf(report.work.traffic)},
              {"bytes_read", report.work.bytesRead},
              {"bytes_written", report.work.bytesWritten},
              {"operations", fields::number(report.work.operations)}};
    if (report.work.alongAxes > 0) work["operations_along_axes"] = report.work.alongAxes;
    return {
        {"warplens", report.version},
        {"environment", fields::toJson(report.environment)},
        {"input",
         {{"name", input.name},
          {"width", input.shape.width},
          {"height", input.shape.height},
          {"depth", input.shape.depth},
          {"channels", input.shape.channels},
          {"type", input.type},
          {"source_type", input.sourceType},
          {"format", fields::textOrNull(input.format)},
          {"bytes", input.bytes},
          {"hash", input.hash},
          {"notes", input.notes}}},
        {"family", report.family},
        {"parameters", fields::toJson(report.parameters)},
        {"facts", report.facts},
        {"device", fields::toJson(report.device)},
        {"limits", fields::toJson(report.limits)},
        {"work", work},
        {"plan", fields::textOrNull(report.plan)},
        {"origins", named},
        {"interrupted", report.interrupted},
        {"runs", runs},
    };
}

std::string toJson(const Report& report, bool oneLine) {
    using fields::Json;
    const Json json = fields::toJson(report);
    // A file name need not be UTF-8; a report must be.
    const auto replace = Json::error_handler_t::replace;
    return oneLine ? json.dump(-1, ' ', false, replace) : json.dump(2, ' ', false, replace) + "\n";
}

}  // namespace warplens::gpu
