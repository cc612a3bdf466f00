// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/devices.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/print.hpp"
#include "gpu/core/error.hpp"
#include "gpu/device/specialisation.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/run/runner.hpp"

#include <fmt/format.h>
#include <memory>

namespace warplens::cli {

namespace {

/// A device and what it can do at most; a device that cannot be measured says why.
struct Row {
    gpu::DeviceInfo info;
    std::optional<gpu::Limits> limits;
    std::string problem;
};

std::vector<Row> measureRows(const gpu::DeviceList& list, const std::stop_token& stop) {
    gpu::Runner runner;
    std::vector<Row> rows;
    for (const gpu::DeviceInfo& info : list.devices) {
        Row row{info, {}, {}};
        try {
            if (!stop.stop_requested()) row.limits = runner.limits(info.id);
        } catch (const gpu::Error& error) {
            row.problem = error.what();
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Whether kernels are compiled for the present task, and what to do where they are not.
std::string asText(const gpu::SpecialisingState& state) {
    if (state.why.empty()) return "Kernels are compiled for the present task by " + state.compiler + ".\n";
    return "Kernels are not compiled for the present task: " + state.why + ".\n";
}

std::string asJson(const std::vector<Row>& rows, const std::string& whyNoCuda) {
    using gpu::fields::Json;
    Json devices = Json::array();
    for (const Row& row : rows) {
        Json device = gpu::fields::toJson(row.info);
        device["limits"] = gpu::fields::toJson(row.limits);
        device["problem"] = gpu::fields::textOrNull(row.problem);
        devices.push_back(device);
    }
    Json openCl = Json::array();
    const gpu::opencl::DeviceList& others = gpu::opencl::deviceList();
    for (const gpu::opencl::DeviceFacts& device : others.devices)
        openCl.push_back({{"id", device.id},
                          {"name", device.name},
                          {"platform", device.platform},
                          {"driver", device.driver},
                          {"kind", device.kind},
                          {"memory_bytes", device.memoryBytes},
                          {"cache_bytes", device.cacheBytes},
                          {"compute_units", device.computeUnits},
                          {"clock_mhz", device.clockMhz},
                          {"max_work_items_per_group", device.maxWorkItemsPerGroup},
                          {"local_bytes_per_group", device.localBytesPerGroup}});
    const gpu::SpecialisingState state = gpu::specialisingState();
    return Json{{"devices", devices},
                {"why_no_cuda", gpu::fields::textOrNull(whyNoCuda)},
                {"specialising",
                 {{"compiler", gpu::fields::textOrNull(state.compiler)},
                  {"why_not", gpu::fields::textOrNull(state.why)}}},
                {"opencl", openCl},
                {"why_no_opencl", gpu::fields::textOrNull(others.whyNone)}}
               .dump(2) +
           "\n";
}

void addLine(std::string& text, const char* what, const std::string& value) {
    text += fmt::format("  {:<14}{}\n", what, value);
}

/// Where portable rows in OpenCL run; not for --device.
std::string asText(const gpu::opencl::DeviceFacts& device) {
    std::string text = device.id + "  " + device.name + "\n";
    addLine(text, "OpenCL driver", device.platform + ", " + device.driver + ", " + device.kind);
    addLine(text, "memory", gpu::byteSize(device.memoryBytes));
    addLine(text, "compute units", std::to_string(device.computeUnits));
    addLine(text, "per work-group",
            fmt::format("{} work-items, {} of local memory", gpu::withCommas(device.maxWorkItemsPerGroup),
                        gpu::byteSize(device.localBytesPerGroup)));
    return text;
}

std::string asText(const Row& row) {
    const gpu::DeviceInfo& info = row.info;
    std::string text = info.id + "  " + info.name + "\n";
    const auto line = [&text](const char* what, const std::string& value) { addLine(text, what, value); };
    const bool cuda = info.ranks();
    if (cuda) {
        line("UUID", info.uuid);
        line("capability", fmt::format("{}.{}", info.capabilityMajor, info.capabilityMinor));
    }
    // A GPU's free memory is known only while it is open.
    line("memory",
         gpu::byteSize(info.memoryBytes) + (info.freeBytes > 0 ? ", " + gpu::byteSize(info.freeBytes) + " free" : ""));
    line(cuda ? "SMs" : "threads", std::to_string(info.multiprocessors));
    if (const gpu::MultiprocessorLimits& most = info.multiprocessor; most.threads > 0) {
        line("an SM holds",
             fmt::format("{} threads, {} blocks, {} registers, {} of shared memory", gpu::withCommas(most.threads),
                         most.blocks, gpu::withCommas(most.registers), gpu::byteSize(most.sharedBytes)));
    }
    if (info.clockMhz > 0) {
        line("clocks",
             fmt::format("{} MHz{}", gpu::withCommas(info.clockMhz),
                         info.memoryClockMhz > 0 ? ", memory " + gpu::withCommas(info.memoryClockMhz) + " MHz" : ""));
    }
    if (info.l2Bytes > 0) line("L2", gpu::byteSize(info.l2Bytes));
    if (row.limits) {
        line("limits M", fmt::format("copy {} GB/s, read {} GB/s, write {} GB/s, shared memory {} GB/s, FMA {} TFLOP/s",
                                     gpu::threeDigits(row.limits->copyGbs), gpu::threeDigits(row.limits->readGbs),
                                     gpu::threeDigits(row.limits->writeGbs), gpu::threeDigits(row.limits->sharedGbs),
                                     gpu::threeDigits(row.limits->fmaTflops)));
    }
    if (!row.problem.empty()) line("problem", row.problem);
    return text;
}

}  // namespace

Command addDevices(CLI::App& program) {
    CLI::App* command = program.add_subcommand("devices", "Where kernels can run, and the limits measured there");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print JSON (resources/schema/devices.schema.json)");
    return {command, [json](const std::stop_token& stop) {
                const gpu::DeviceList list = gpu::listDevices();
                const std::vector<Row> rows = measureRows(list, stop);
                if (*json) {
                    printJson(asJson(rows, list.whyNoCuda));
                } else {
                    std::string text;
                    for (const Row& row : rows) text += asText(row);
                    if (list.whyNoCuda.empty()) text += asText(gpu::specialisingState());
                    const gpu::opencl::DeviceList& others = gpu::opencl::deviceList();
                    for (const gpu::opencl::DeviceFacts& device : others.devices) text += asText(device);
                    for (const std::string& why : {list.whyNoCuda, others.whyNone})
                        if (!why.empty()) text += why + "\n";
                    printText(text +
                              "Values are reported by driver and system, except limits M, which were measured now.\n");
                }
                return static_cast<int>(stop.stop_requested() ? kInterrupted : kFine);
            }};
}

}  // namespace warplens::cli
