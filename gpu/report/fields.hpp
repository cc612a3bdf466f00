// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>

namespace warplens::gpu::fields {

/// Keeps the order in which fields are written, so that a report reads like its contract.
using Json = nlohmann::ordered_json;

/// Longer tables are cut in JSON, which says how many rows there are in all; -o writes them whole.
inline constexpr std::size_t kMostTableRows = 10000;
/// By the index of Column::values.
inline constexpr std::array kColumnTypes{"integer", "real", "text"};

/// JSON knows no NaN and no infinity: they become null.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
inline Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
/// An empty text means that it is not known: null.
inline Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json toJson(const Parameter::Value& value);
Json toJson(const ParameterValues& values);
Json toJson(const DeviceInfo& device);
Json toJson(const std::optional<Limits>& limits);
Json toJson(const Environment& environment);
Json toJson(const Timing& time);
Json toJson(const ReportRun& run);
Json toJson(const Counters& counters);
Json toJson(const Report& report);

/// Read back what toJson() made. They throw Json::exception or std::runtime_error.
Timing timingOf(const Json& json);
DeviceInfo deviceOf(const Json& json);
Environment environmentOf(const Json& json, const std::string& version);
ParameterValues valuesOf(const Json& json);
/// Nothing for null.
std::optional<Limits> limitsOf(const Json& json);
Counters countersOf(const Json& json);
ReportRun runOf(const Json& json, const std::string& family);
Report reportOf(const Json& json);

}  // namespace warplens::gpu::fields
