// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/fields.hpp"

#include "gpu/core/counts.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/report/stages.hpp"

#include <algorithm>
#include <array>

namespace warplens::gpu::fields {

namespace {

using fields::toJson;  // of a time, beside those here

Json toJson(const std::optional<Specialisation>& special) {
    if (!special) return nullptr;
    const auto time = [](double ms) { return ms > 0 ? number(ms) : Json(nullptr); };
    return {{"kind", kindOf(*special)},
            {"compile_ms", time(special->compileMs)},
            {"cached", special->cached},
            {"ready_ms", time(special->readyMs)},
            {"reason", textOrNull(special->reason)},
            {"weights_as_constants", special->weights}};
}

/// A launch's fields that the SIMT device cannot report are null, not 0.
Json toJson(const LaunchFacts& launch) {
    return {{"grid", launch.grid},
            {"block", launch.block},
            {"registers", launch.registers > 0 ? Json(launch.registers) : Json(nullptr)},
            {"shared_bytes", launch.sharedBytes},
            {"local_bytes", launch.localBytes ? Json(*launch.localBytes) : Json(nullptr)},
            {"occupancy", launch.occupancy > 0 ? number(launch.occupancy) : Json(nullptr)},
            {"kernels", launch.kernels},
            {"instance", toJson(launch.special)}};
}

constexpr std::array kAxes{"x", "y", "z"};

Json toJson(const SlabMap& slabs) {
    Json held = Json::array();
    for (const SlabMap::Stretch& one : slabs.held)
        held.push_back({{"device", one.device}, {"first", one.first}, {"lines", one.lines}});
    return {{"along", kAxes[static_cast<std::size_t>(slabs.axis)]},
            {"lines", slabs.lines},
            {"each", slabs.each},
            {"halo", slabs.halo},
            {"devices", slabs.devices},
            {"held", held}};
}

Json toJson(const Verification& check) {
    return {{"max_abs_error", number(check.maxAbsError)},        {"bound", number(check.bound)},
            {"checked_share", number(check.checkedShare)},       {"mismatches", check.mismatches},
            {"first_mismatch", textOrNull(check.firstMismatch)}, {"note", textOrNull(check.note)}};
}

Json toJson(const ChannelFacts& channel) {
    return {{"min", number(channel.minimum)},
            {"max", number(channel.maximum)},
            {"mean", number(channel.mean)},
            {"nonfinite", channel.nonfinite}};
}

Json toJson(const RegionErrors& errors) {
    Json at(nullptr);
    if (errors.worst) at = {errors.worst->x, errors.worst->y, errors.worst->z};
    return {{"region", errors.region},
            {"pixels", errors.pixels},
            {"not_nearest", errors.notNearest},
            {"max_ulp", number(errors.maxUlp)},
            {"max_at", at},
            {"mean_ulp", number(errors.meanUlp)},
            {"rmse", number(errors.rmse)}};
}

/// The edges follow from low, high and the request's bins or bin-width.
Json toJson(const CountedChannel& channel, const std::vector<double>& edges) {
    return {{"channel", channel.name}, {"low", number(edges.front())}, {"high", number(edges.back())},
            {"bins", channel.bins},    {"below", channel.below},       {"above", channel.above},
            {"nan", channel.nan}};
}

Json toJson(const std::optional<ConvergenceHistory>& evolution) {
    if (!evolution) return nullptr;
    Json residuals = Json::array();
    for (const ResidualPoint& point : evolution->residuals) {
        residuals.push_back({{"iteration", point.iteration}, {"max_change", number(point.value)}});
    }
    return {{"iterations", evolution->iterations}, {"stopped", evolution->stopped}, {"residuals", residuals}};
}

Json cell(const Column& column, std::size_t row) {
    return std::visit(
        [row](const auto& values) -> Json {
            if constexpr (std::is_same_v<decltype(values), const Column::Reals&>) return number(values[row]);
            return values[row];
        },
        column.values);
}

Json toJson(const Table& table) {
    Json columns = Json::array(), rows = Json::array();
    for (const Column& column : table.columns)
        columns.push_back({{"id", column.id},
                           {"title", column.title},
                           {"unit", column.unit},
                           {"type", kColumnTypes[column.values.index()]}});
    const std::size_t total = table.rows();
    for (std::size_t row = 0; row < std::min(total, kMostTableRows); ++row) {
        Json cells = Json::array();
        for (const Column& column : table.columns) cells.push_back(cell(column, row));
        rows.push_back(std::move(cells));
    }
    return {{"id", table.id},
            {"title", table.title},
            {"columns", columns},
            {"rows", rows},
            {"total_rows", total + table.omitted}};
}

Json toJson(const Choice& choice) {
    Json json{{"variant", choice.variant}, {"source", nameOf(choice.source)}, {"why", choice.why}};
    if (!choice.raced) return json;
    Json rows = Json::array();
    for (const AutotuneResult::Row& row : choice.raced->rows)
        rows.push_back({{"variant", row.variant}, {"id", row.id}, {"median_ms", row.ms}, {"samples", row.samples}});
    json["race"] = {{"launches", choice.raced->launches},
                    {"kernel_ms", choice.raced->kernelMs},
                    {"wall_ms", choice.raced->wallMs},
                    {"rows", rows}};
    return json;
}

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? toJson(*value) : Json(nullptr);
}

}  // namespace

Json toJson(const Timing& time) {
    return {{"clock", nameOf(time.clock)},        {"median_ms", number(time.medianMs)},
            {"q1_ms", number(time.q1Ms)},         {"q3_ms", number(time.q3Ms)},
            {"min_ms", number(time.minMs)},       {"low_ms", number(time.lowMs)},
            {"high_ms", number(time.highMs)},     {"samples", time.samples},
            {"l2", time.warmL2 ? "warm" : "cold"}};
}

Json toJson(const Parameter::Value& value) {
    if (std::holds_alternative<std::shared_ptr<const NamedGrid>>(value)) return format(value);
    return std::visit(
        [](const auto& held) -> Json {
            if constexpr (std::is_constructible_v<Json, decltype(held)>) return Json(held);
            return nullptr;
        },
        value);
}

Json toJson(const ParameterValues& values) {
    Json json = Json::object();
    for (const auto& [id, value] : values) json[id] = toJson(value);
    return json;
}

Json toJson(const DeviceInfo& device) {
    Json json{
        {"id", device.id}, {"name", device.name}, {"kind", nameOf(device.kind)}, {"uuid", textOrNull(device.uuid)}};
    const bool cuda = device.ranks();
    json["capability"] =
        cuda ? Json(std::to_string(device.capabilityMajor) + "." + std::to_string(device.capabilityMinor))
             : Json(nullptr);
    json["memory_bytes"] = device.memoryBytes;
    json["free_bytes"] = device.freeBytes;
    json["l2_bytes"] = device.l2Bytes > 0 ? Json(device.l2Bytes) : Json(nullptr);
    json["multiprocessors"] = device.multiprocessors;
    json["clock_mhz"] = device.clockMhz > 0 ? Json(device.clockMhz) : Json(nullptr);
    json["memory_clock_mhz"] = device.memoryClockMhz > 0 ? Json(device.memoryClockMhz) : Json(nullptr);
    json["shared_bytes_per_block"] = device.sharedBytesPerBlock;
    json["max_threads_per_block"] = device.maxThreadsPerBlock;
    const MultiprocessorLimits& most = device.multiprocessor;
    json["multiprocessor"] = most.threads > 0 ? Json{{"threads", most.threads},
                                                     {"blocks", most.blocks},
                                                     {"registers", most.registers},
                                                     {"shared_bytes", most.sharedBytes},
                                                     {"reserved_shared_bytes", most.reservedSharedBytes}}
                                              : Json(nullptr);
    return json;
}

Json toJson(const std::optional<Limits>& limits) {
    if (!limits) return nullptr;
    return {{"copy_gbs", number(limits->copyGbs)},
            {"read_gbs", number(limits->readGbs)},
            {"write_gbs", number(limits->writeGbs)},
            {"fma_tflops", number(limits->fmaTflops)},
            {"shared_gbs", limits->sharedGbs > 0 ? number(limits->sharedGbs) : Json(nullptr)},
            {"clock_mhz", limits->clockMhz > 0 ? Json(limits->clockMhz) : Json(nullptr)}};
}

Json toJson(const Environment& environment) {
    Json json{{"date", environment.date},
              {"os", environment.os},
              {"cpu", environment.cpu},
              {"cpu_threads", environment.cpuThreads},
              {"compiler", environment.compiler},
              {"cuda_runtime", textOrNull(environment.cudaRuntime)},
              {"cuda_driver", textOrNull(environment.cudaDriver)},
              {"clocks", nullptr}};
    if (const auto& clocks = environment.clocks) {
        json["clocks"] = {{"sm_mhz_min", clocks->smMhzMin},
                          {"sm_mhz_max", clocks->smMhzMax},
                          {"throttled", clocks->throttled},
                          {"reason", textOrNull(clocks->reason)}};
    }
    return json;
}

Json toJson(const ReportRun& run) {
    const RunRecord& record = run.record;
    Json result = Json::array();
    for (const ChannelFacts& channel : run.result) result.push_back(toJson(channel));
    if (const auto counts = countsOf(record.result.tables); counts != nullptr && !counts->edges.empty()) {
        for (const CountedChannel& channel : counts->channels) result.push_back(toJson(channel, counts->edges));
    }
    Json tables = Json::array();
    for (const auto& table : record.result.tables) tables.push_back(toJson(*table));
    Json tunables = Json::object();
    for (const auto& [id, value] : record.tunables) tunables[id] = value;
    const Stages stages = stagesOf(record, run.displayMs);
    Json errors = Json::array();
    for (const RegionErrors& one : run.errors) errors.push_back(toJson(one));
    Json json{{"variant", record.variant},
              {"id", record.id()},
              {"kind", nameOf(record.kind)},
              {"runs_on", record.runsOn},
              {"status", nameOf(record.status)},
              {"reason", textOrNull(record.reason)},
              {"choice", orNull(record.choice)},
              {"tunables", tunables},
              {"time", orNull(record.time)},
              {"upload_ms", number(record.uploadMs)},
              {"layout_ms", number(record.layoutMs)},
              {"download_ms", number(record.downloadMs)},
              {"display_ms", number(run.displayMs)},
              {"total_ms", number(stages.total())},
              {"exposed_ms", number(stages.exposed())},
              {"bandwidth_gbs", number(record.bandwidthGbs)},
              {"percent_of_limit", number(record.percentOfLimit)},
              {"launch", orNull(record.launch)},
              {"slabs", orNull(record.slabs)},
              {"verification", orNull(record.verification)},
              {"errors", errors},
              {"counters", record.counters ? toJson(*record.counters) : Json(nullptr)},
              {"result", result},
              {"evolution", toJson(evolutionOf(record.result.tables))},
              {"tables", tables}};
    if (record.yours) json["yours"] = true;
    if (!run.source.empty()) json["source"] = run.source;
    return json;
}

}  // namespace warplens::gpu::fields
