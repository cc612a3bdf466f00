// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/report/sample_comparison.hpp"

#include "gpu/core/registry.hpp"

#include <cmath>
#include <limits>

namespace warplens::test {

using namespace gpu;

namespace {

std::shared_ptr<const io::Grid> ramp(double step) {
    auto grid = std::make_shared<io::Grid>(io::Shape{4, 3, 1, 1}, io::PixelType::f32);
    for (std::size_t i = 0; i < 12; ++i) grid->as<float>()[i] = static_cast<float>(static_cast<double>(i) * step);
    return grid;
}

Verification verification(double error, std::int64_t mismatches) {
    Verification check;
    check.maxAbsError = error;
    check.bound = 1e-6;
    check.checkedShare = 1;
    check.mismatches = mismatches;
    return check;
}

RunRecord kernel(const std::string& id, const std::string& runsOn, const Timing& time) {
    RunRecord record;
    record.family = "convolution";
    record.variant = id;
    record.runsOn = runsOn;
    const Variant* variant = findVariant("convolution", id);
    if (variant != nullptr) record.tunables = resolve(*variant, {});
    record.time = time;
    record.uploadMs = 0.5;
    record.bandwidthGbs = 100 / time.medianMs;
    record.verification = verification(1e-7, 0);
    record.result.picture = ramp(0.5);
    return record;
}

Comparison common() {
    Comparison comparison;
    comparison.inputName = "ramp|<b>.npy";
    comparison.input = ramp(1);
    comparison.family = "convolution";
    comparison.parameters = {
        {"filter", std::string("gaussian")}, {"radius", std::int64_t{2}}, {"sigma", 0.0}, {"normalise", false}};
    comparison.facts = {"5 x 5 weights, separable"};
    comparison.work = {Traffic::copy, 48, 48, 600};
    comparison.environment.version = "0.1.0";
    comparison.environment.compiler = "GCC 12";
    comparison.environment.os = "Debian 12";
    comparison.environment.cpu = "some CPU";
    comparison.environment.cpuThreads = 2;
    comparison.environment.date = "2026-01-31T12:00:00Z";
    return comparison;
}

}  // namespace

Timing timing(Clock clock, double medianMs, int samples) {
    return {.clock = clock,
            .medianMs = medianMs,
            .q1Ms = medianMs * 0.99,
            .q3Ms = medianMs * 1.01,
            .minMs = medianMs * 0.98,
            .lowMs = medianMs * 0.99,
            .highMs = medianMs * 1.01,
            .samples = samples};
}

Comparison cudaComparison() {
    Comparison comparison = common();
    comparison.device.id = "cuda:0";
    comparison.device.name = "Test GPU";
    comparison.device.kind = DeviceKind::cuda;
    comparison.device.uuid = "GPU-1";
    comparison.device.capabilityMajor = 9;
    comparison.environment.cudaDriver = comparison.environment.cudaRuntime = "13.0";
    comparison.environment.clocks = ClockState{1000, 1980, false, ""};
    comparison.limits = Limits{4000, 4400, 4500, 56, 1980};
    for (const auto& [id, ms] : {std::pair{"naive", 2.0}, std::pair{"constant", 1.0}, std::pair{"tiled_input", 0.1}}) {
        RunRecord record = kernel(id, "cuda:0", timing(Clock::device, ms));
        record.percentOfLimit = *record.bandwidthGbs / 40;
        record.launch = LaunchFacts{{1, 1, 1}, {32, 8, 1}, 40, 4096, 0.75, 1};
        comparison.runs.push_back(record);
    }
    RunRecord& wrong = comparison.runs.back();
    wrong.status = Status::wrong;
    wrong.reason = "3 values are wrong";
    wrong.verification = verification(std::numeric_limits<double>::infinity(), 3);
    RunRecord refused;
    refused.family = "convolution";
    refused.variant = "separable";
    refused.runsOn = "cuda:0";
    refused.status = Status::unsupported;
    refused.reason = "the filter is not separable, \"really\"";
    comparison.runs.push_back(refused);
    RunRecord library = kernel("opencv", "cpu", timing(Clock::library, 0.01));
    library.kind = Variant::Kind::library;
    comparison.runs.push_back(library);
    return comparison;
}

Comparison cpuComparison() {
    Comparison comparison = common();
    comparison.device.id = "cpu";
    comparison.device.name = "CPU (SIMT)";
    comparison.device.kind = DeviceKind::simt;
    comparison.runs = {kernel("naive", "cpu", timing(Clock::simulated, 2, 3)),
                       kernel("constant", "cpu", timing(Clock::simulated, 1, 3))};
    return comparison;
}

}  // namespace warplens::test
