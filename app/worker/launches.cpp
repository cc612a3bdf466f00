// SPDX-License-Identifier: Apache-2.0
#include "app/worker/launches.hpp"

#include "app/worker/check.hpp"
#include "app/worker/compile.hpp"
#include "app/worker/count.hpp"
#include "app/worker/kernel_process.hpp"
#include "app/worker/run.hpp"
#include "gpu/core/error.hpp"
#include "gpu/device/simt/launch.hpp"
#include "gpu/device/text_kernel.hpp"
#include "gpu/user/full_form.hpp"

#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <unistd.h>
#include <utility>

namespace warplens::worker {
namespace {

using gpu::Error;

Launches* current = nullptr;

class CheckedLaunches final : public Launches {
public:
    void launch(gpu::LaunchContext& context, const void*, const Extent& extent, const gpu::simt::Thunk& thread,
                void**) override {
        auto& simt = static_cast<gpu::SimtContext&>(context);
        watchLaunch(extent.sharedBytes);
        simt.record(extent.grid, extent.block, extent.sharedBytes);
        simt.engine.run(extent.grid, extent.block, extent.sharedBytes, thread);
    }
    void setConstant(gpu::LaunchContext& context, void* array, const char*,
                     std::span<const std::byte> values) override {
        static_cast<gpu::SimtContext&>(context).engine.setConstant(array, values.data(), values.size());
    }
};

class CountedLaunches final : public Launches {
public:
    explicit CountedLaunches(gpu::Device& counter) : m_counter(counter) {}
    void launch(gpu::LaunchContext&, const void* kernel, const Extent& extent, const gpu::simt::Thunk& thread,
                void**) override {
        launchCounted(m_counter, kernel, extent.grid, extent.block, extent.sharedBytes, thread);
    }
    void setConstant(gpu::LaunchContext&, void* array, const char*, std::span<const std::byte> values) override {
        std::memcpy(array, values.data(), values.size());
    }

private:
    gpu::Device& m_counter;
};

class GpuLaunches final : public Launches {
public:
    GpuLaunches(gpu::Device& device, const Job& job, std::string source)
        : m_job(job),
          m_source(std::move(source)),
          m_kernels(gpu::openText(device, "#line 1 \"" + job.file + "\"\n" + job.text, [] { answer(kPreparing); })) {}

    void launch(gpu::LaunchContext&, const void* kernel, const Extent& extent, const gpu::simt::Thunk&,
                void** arguments) override {
        auto& instance = m_instances[kernel];
        if (instance.empty()) instance = instanceOf(kernel);
        launch(instance, extent, arguments);
    }
    bool launchSpecial(const gpu::Special& special, const Extent& extent, void** arguments) override {
        if (special.weights != nullptr || *special.refusal != '\0' || special.path() != m_source) return false;
        launch(special.expression(), extent, arguments);
        return true;
    }
    void setConstant(gpu::LaunchContext&, void*, const char* name, std::span<const std::byte> values) override {
        m_kernels->setConstant(name, values);
    }
    gpu::LinearTexture texelsOf(const void* values, std::size_t count, std::size_t valueBytes, bool floats) override {
        return gpu::linearTextureOf(values, count, valueBytes, floats);
    }
    void setCareful(bool careful) override {
        m_careful = careful;
        answer(kPreparing);
    }

private:
    std::string instanceOf(const void* kernel) const {
        Dl_info place{};
        const bool named = ::dladdr(kernel, &place) != 0 && place.dli_saddr == kernel && place.dli_sname != nullptr;
        const auto name = named ? gpu::user::instanceNamed(place.dli_sname) : std::nullopt;
        if (name) return *name;
        throw Error(Error::Kind::unsupported,
                    m_job.file +
                        ": a GPU's compiler asks for a kernel by its name, and one that is launched here has "
                        "none outside this file: take it out of its unnamed namespace");
    }

    void launch(const std::string& instance, const Extent& extent, void** arguments) {
        // Told to who waits, now and then: a launch has a deadline, and a call between short ones would be timed.
        constexpr std::chrono::milliseconds kBetween{100};
        const auto now = std::chrono::steady_clock::now();
        try {
            m_kernels->launch({.instance = instance,
                               .grid = {extent.grid.x, extent.grid.y, extent.grid.z},
                               .block = {extent.block.x, extent.block.y, extent.block.z},
                               .sharedBytes = extent.sharedBytes,
                               .arguments = arguments});
        } catch (const Error& error) {
            if (error.kind() != Error::Kind::argument) throw;
            answer(Json{{"errors", errorsIn(error.what(), m_job, "NVRTC")}}.dump(-1, ' ', false,
                                                                                 Json::error_handler_t::replace));
            ::_exit(0);
        }
        if (m_careful || now - m_told > kBetween) {
            m_told = now;
            answer(kLaunched);
        }
        if (!m_careful) return;
        m_kernels->wait();
        answer(kPreparing);
    }

    const Job& m_job;
    std::string m_source;
    std::unique_ptr<gpu::TextKernels> m_kernels;
    std::map<const void*, std::string> m_instances;
    bool m_careful = false;
    std::chrono::steady_clock::time_point m_told{};
};

}  // namespace

std::unique_ptr<Launches> makeCheckedLaunches() { return std::make_unique<CheckedLaunches>(); }
std::unique_ptr<Launches> makeCountedLaunches(gpu::Device& counter) {
    return std::make_unique<CountedLaunches>(counter);
}
std::unique_ptr<Launches> makeGpuLaunches(gpu::Device& device, const Job& job, const std::string& source) {
    return std::make_unique<GpuLaunches>(device, job, source);
}

void launchBy(Launches& launches) { current = &launches; }

}  // namespace warplens::worker

// What the file calls (gpu/user/full_environment.hpp).
extern "C" {

void warplens_launch(void* context, const void* kernel, dim3 grid, dim3 block, unsigned long sharedBytes,
                     void (*call)(const void*), const void* closure, void** arguments) {
    warplens::worker::current->launch(*static_cast<warplens::gpu::LaunchContext*>(context), kernel,
                                      {grid, block, sharedBytes}, {call, closure}, arguments);
}

bool warplens_launch_special(void*, const void* special, dim3 grid, dim3 block, unsigned long sharedBytes,
                             void** arguments) {
    return warplens::worker::current->launchSpecial(*static_cast<const warplens::gpu::Special*>(special),
                                                    {grid, block, sharedBytes}, arguments);
}

void warplens_set_constant(void* context, void* array, const char* name, const void* values, unsigned long bytes) {
    warplens::worker::current->setConstant(*static_cast<warplens::gpu::LaunchContext*>(context), array, name,
                                           {static_cast<const std::byte*>(values), bytes});
}

struct WarplensTexels {
    std::uint64_t texture;
    unsigned first;
};
WarplensTexels warplens_texels(const void* values, unsigned long count, unsigned long valueBytes, bool floats) {
    const auto made = warplens::worker::current->texelsOf(values, count, valueBytes, floats);
    return {made.texture, made.first};
}

[[noreturn]] void warplens_other_type() { throw warplens::worker::OtherType(); }

}  // extern "C"
