// SPDX-License-Identifier: Apache-2.0
#include "app/worker/run.hpp"

#include "app/sandbox/call_filter.hpp"
#include "app/sandbox/sandbox.hpp"
#include "app/trace/protocol.hpp"
#include "app/worker/check.hpp"
#include "app/worker/count.hpp"
#include "app/worker/full_form.hpp"
#include "app/worker/kernel_process.hpp"
#include "app/worker/kernel_session.hpp"
#include "gpu/core/error.hpp"
#include "gpu/device/simt/launch.hpp"
#include "gpu/device/text_kernel.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/run/timing.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <dlfcn.h>
#include <exception>
#include <string_view>
#include <tbb/global_control.h>
#include <unistd.h>
#include <utility>

namespace warplens::worker {
namespace {

/// The loaded kernel.
struct Loaded {
    void (*caller)(void* const*) = nullptr;  ///< what a thread of a launch calls, with its arguments' addresses
    const void* function = nullptr;
};
Loaded loadKernel(const std::filesystem::path& scratch, bool counts) {
    void* const library = load(scratch / kObject, counts);
    return {reinterpret_cast<void (*)(void* const*)>(::dlsym(library, gpu::user::kCaller)),
            *static_cast<void* const*>(::dlsym(library, gpu::user::kAddress))};
}

void time(const Job& job, gpu::Device& device, KernelSession& session) {
    gpu::RunRecord record;
    record.runsOn = job.device;
    gpu::runKernelRow(device, session, {}, job.timing, {}, record);
    if (job.device != "cpu" && session.inputChanged())
        report({.what = "writes to its input, which is there to be read", .kind = "write to the input"});
    answer(Json{{"run", gpu::fields::toJson(gpu::ReportRun{.record = record, .result = {}})}}.dump());
}

void runOnCpu(const Job& job, const Planes& planes, const std::filesystem::path& scratch) {
    // The kernel has this thread alone, and none may be started once the calls are filtered.
    const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
    const auto device = gpu::openDevice("cpu");
    device->setScheduling({.workers = 1, .shuffleSeed = job.shuffleSeed});
    KernelSession session(job, planes, *device);
    const auto dimensionsOf = [](const KernelSession::Grid& of) { return dim3(of[0], of[1], of[2]); };
    const dim3 threads = dimensionsOf(job.binding.block);
    gpu::simt::checkLaunch(dimensionsOf(job.binding.grid), threads, 0);

    confine(scratch, kHeadroom + 4 * static_cast<std::uint64_t>(job.sharedBytes()));
    watch(session.ranges(), static_cast<std::size_t>(job.outputBytes), static_cast<std::size_t>(job.outputValueBytes),
          report);
    catchSignals();
    if (!sandbox::sanitized()) sandbox::filterKernelCalls(true);
    const Loaded kernel = loadKernel(scratch, false);
    if (!sandbox::sanitized()) sandbox::filterKernelCalls(false);
    running();
    session.setLaunch([&](const KernelSession::Grid& grid, void** arguments) {
        auto& context = static_cast<gpu::SimtContext&>(device->context());
        const dim3 blocks = dimensionsOf(grid);
        context.record(blocks, threads, 0);
        const auto closure = [&] { kernel.caller(arguments); };
        const auto call = [](const void* p) { (*static_cast<const decltype(closure)*>(p))(); };
        context.engine.run(blocks, threads, 0, {call, &closure});
    });
    session.setBefore([&] { watchNext(session.ranges()); });
    session.setLookIdle(true);
    session.poisonOutput();
    session.launch();
    setThorough(false);
    device->takeLaunchFacts();
    time(job, *device, session);
}

/// On the traced device, which checks in its own way: one that ends by itself, and faults in nothing.
void countOnCpu(const Job& job, const Planes& planes, const std::filesystem::path& scratch) {
    const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
    confine(scratch, kHeadroom + kShadowBytes * static_cast<std::uint64_t>(job.sharedBytes()));
    watch({}, 0, 1, report);
    catchSignals();
    if (!sandbox::sanitized()) sandbox::filterKernelCalls(true);
    const Loaded kernel = loadKernel(scratch, true);
    const auto device = openCountingDevice();
    if (!sandbox::sanitized()) sandbox::filterKernelCalls(false);
    running();
    KernelSession session(job, planes, *device);
    session.setLaunch([&](const KernelSession::Grid& grid, void** arguments) {
        const auto& block = job.binding.block;
        const auto closure = [&] { kernel.caller(arguments); };
        const auto call = [](const void* p) { (*static_cast<const decltype(closure)*>(p))(); };
        launchCounted(*device, kernel.function, dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), 0,
                      {call, &closure});
    });
    shareWord(session.changed());
    session.poisonOutput();
    if (job.film) {
        const auto& [grid, block] = std::pair(job.binding.grid, job.binding.block);
        const auto footprint = gpu::footprintOf({grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]},
                                                {job.shape.width, job.shape.height, job.shape.depth});
        return answerFilm(film(
            *device, [&] { session.launch(); }, *job.film, job.shape, footprint, session.input(), job.shape.width));
    }
    gpu::RunRecord record;
    record.runsOn = job.device;
    count(
        *device, [&] { session.launch(); }, session.input(), job.sampleWords, record);
    answer(Json{{"run", gpu::fields::toJson(gpu::ReportRun{.record = record, .result = {}})}}.dump());
}

/// A fault after which the GPU is lost to this process alone, which ends.
Incident faultOnGpu(const gpu::Error& error) {
    constexpr std::array<std::array<const char*, 3>, 8> kFaults = {{
        {"cudaErrorIllegalAddress", "illegal address", "accesses an illegal address"},
        {"cudaErrorInvalidAddressSpace", "illegal address", "accesses an address of another kind of memory"},
        {"cudaErrorInvalidPc", "illegal address", "calls a function at an address that holds none"},
        {"cudaErrorIllegalInstruction", "trap", "ends by a trap, or by what is no instruction"},
        {"cudaErrorMisalignedAddress", "misaligned address", "accesses a misaligned address"},
        {"cudaErrorHardwareStackError", "stack overflow", "overflows its stack"},
        {"cudaErrorLaunchTimeout", "deadline", "takes longer than the driver lets a GPU with a display compute"},
        {"cudaErrorLaunchFailure", "trap", "ends by a trap or a failed assertion"},
    }};
    const auto* const fault = std::ranges::find_if(kFaults, [&](const auto& one) { return error.code() == one[0]; });
    if (fault == kFaults.end()) return {.what = "ends by " + error.code() + " on the GPU", .kind = "fault"};
    return {.what = std::string((*fault)[2]) + " on the GPU, which does not say where", .kind = (*fault)[1]};
}

void runOnGpu(const Job& job, const Planes& planes, const std::filesystem::path& scratch, gpu::Device& device) {
    KernelSession session(job, planes, device);
    const auto kernel = gpu::loadText(device, {io::readText((scratch / kCubin).string(), std::int64_t{1} << 30),
                                               io::readText((scratch / kFunction).string())});
    // Told to who waits for it, now and then: a launch has a deadline, and a call between short ones would be timed.
    constexpr std::chrono::milliseconds kBetween{100};
    std::chrono::steady_clock::time_point told{};
    session.setLaunch([&](const KernelSession::Grid& grid, void** arguments) {
        if (const auto now = std::chrono::steady_clock::now(); now - told > kBetween) {
            told = now;
            answer(kLaunched);
        }
        kernel->launch(grid, job.binding.block, arguments);
    });
    time(job, device, session);
}

void runOnGpu(const Job& job, const Planes& planes, const std::filesystem::path& scratch,
              std::unique_ptr<gpu::Device> device) {
    if (device == nullptr) device = gpu::openDevice(job.device);
    try {
        if (job.full.is_null()) return runOnGpu(job, planes, scratch, *device);
        runFullFormOnGpu(job, planes.input, planes.output, scratch, *device);
    } catch (const gpu::Error& error) {
        // One of the driver's has a code.
        if (error.kind() == gpu::Error::Kind::fault && !error.code().empty()) report(faultOnGpu(error));
        throw;
    }
}

}  // namespace

void runKernel(const Job& job, const Planes& planes, const std::filesystem::path& scratch, int answers,
               std::unique_ptr<gpu::Device> opened) {
    answerTo(answers);
    try {
        if (!job.full.is_null() && job.device == "cpu")
            runFullForm(job, planes.input, planes.output, scratch);
        else if (job.counts)
            countOnCpu(job, planes, scratch);
        else if (job.device == "cpu")
            runOnCpu(job, planes, scratch);
        else
            runOnGpu(job, planes, scratch, std::move(opened));
        ::_exit(0);
    } catch (const gpu::Error& error) {
        using Kind = gpu::Error::Kind;
        if (error.kind() == Kind::divergentBarrier || error.kind() == Kind::deadlock || error.kind() == Kind::fault)
            report({.what = error.what()});
        answer(Json{{"failure", static_cast<int>(error.kind())}, {"message", error.what()}}.dump());
    } catch (const std::exception& error) {
        answer(Json{{"failure", static_cast<int>(gpu::Error::Kind::internal)}, {"message", error.what()}}.dump());
    }
    ::_exit(0);
}

}  // namespace warplens::worker
