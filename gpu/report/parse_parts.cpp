// SPDX-License-Identifier: Apache-2.0
// The parts that reports and sweeps have in common.
#include "gpu/report/reading.hpp"

#include <sstream>

namespace warplens::gpu {

using fields::Json;
using namespace fields::reading;

namespace {

Parameter::Value parameter(const Json& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (json.is_number()) return json.get<double>();
    return json.get<std::string>();
}

}  // namespace

namespace fields {

ParameterValues valuesOf(const Json& json) {
    ParameterValues values;
    for (const auto& [id, value] : json.items()) values[id] = parameter(value);
    return values;
}

Timing timingOf(const Json& json) {
    Timing time;
    time.clock = named(json, "clock", {Clock::device, Clock::simulated, Clock::library, Clock::opencl, Clock::openacc});
    const auto milliseconds = [&json](const char* field) {
        if (const auto value = amount(json, field)) return *value;
        throw std::runtime_error(std::string(field) + " is missing");
    };
    time.medianMs = milliseconds("median_ms");
    time.q1Ms = milliseconds("q1_ms");
    time.q3Ms = milliseconds("q3_ms");
    time.minMs = milliseconds("min_ms");
    time.lowMs = milliseconds("low_ms");
    time.highMs = milliseconds("high_ms");
    time.samples = json.at("samples").get<int>();
    if (time.samples < 0) throw std::runtime_error("samples is below 0");
    time.warmL2 = json.at("l2").get<std::string>() == "warm";
    return time;
}

DeviceInfo deviceOf(const Json& json) {
    DeviceInfo info;
    info.id = json.at("id").get<std::string>();
    info.name = json.at("name").get<std::string>();
    info.kind = named(json, "kind", {DeviceKind::cuda, DeviceKind::simt});
    info.uuid = text(json, "uuid");
    if (const std::string capability = text(json, "capability"); !capability.empty()) {
        std::istringstream(capability) >> info.capabilityMajor;
        const auto dot = capability.find('.');
        if (dot != std::string::npos) std::istringstream(capability.substr(dot + 1)) >> info.capabilityMinor;
    }
    info.memoryBytes = json.at("memory_bytes").get<std::int64_t>();
    info.freeBytes = json.at("free_bytes").get<std::int64_t>();
    info.l2Bytes = optional<std::int64_t>(json, "l2_bytes").value_or(0);
    info.multiprocessors = json.at("multiprocessors").get<int>();
    info.clockMhz = integer(json, "clock_mhz");
    info.memoryClockMhz = integer(json, "memory_clock_mhz");
    info.sharedBytesPerBlock = json.at("shared_bytes_per_block").get<std::int64_t>();
    info.maxThreadsPerBlock = json.at("max_threads_per_block").get<int>();
    if (json.contains("multiprocessor") && !json.at("multiprocessor").is_null()) {
        const Json& most = json.at("multiprocessor");
        info.multiprocessor = {most.at("threads").get<int>(), most.at("blocks").get<int>(),
                               most.at("registers").get<int>(), most.at("shared_bytes").get<std::int64_t>(),
                               most.at("reserved_shared_bytes").get<std::int64_t>()};
    }
    return info;
}

Environment environmentOf(const Json& json, const std::string& version) {
    Environment found;
    found.version = version;
    found.date = json.at("date").get<std::string>();
    found.os = json.at("os").get<std::string>();
    found.cpu = json.at("cpu").get<std::string>();
    found.cpuThreads = json.at("cpu_threads").get<int>();
    found.compiler = json.at("compiler").get<std::string>();
    found.cudaRuntime = text(json, "cuda_runtime");
    found.cudaDriver = text(json, "cuda_driver");
    if (const Json& clocks = json.at("clocks"); !clocks.is_null()) {
        found.clocks = ClockState{clocks.at("sm_mhz_min").get<int>(), clocks.at("sm_mhz_max").get<int>(),
                                  clocks.at("throttled").get<bool>(), text(clocks, "reason")};
    }
    return found;
}

std::optional<Limits> limitsOf(const Json& json) {
    if (json.is_null()) return std::nullopt;
    // Reports of earlier versions know no shared memory.
    return Limits{real(json, "copy_gbs"),   real(json, "read_gbs"),     real(json, "write_gbs"),
                  real(json, "fma_tflops"), integer(json, "clock_mhz"), real(json, "shared_gbs")};
}

}  // namespace fields

}  // namespace warplens::gpu
