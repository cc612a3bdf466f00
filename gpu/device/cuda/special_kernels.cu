// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/special_kernels.hpp"
#include "gpu/device/cuda/specialiser.hpp"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string_view>

namespace warplens::gpu::cuda {
namespace {

/// The driver's entry points used; types and values as cuda.h has them. Its error codes are the runtime's.
struct Driver {
    using Status = cudaError_t;
    Status (*loadData)(void**, const void*) = nullptr;
    Status (*unload)(void*) = nullptr;
    Status (*getFunction)(void**, void*, const char*) = nullptr;
    Status (*getGlobal)(std::uint64_t*, std::size_t*, void*, const char*) = nullptr;
    Status (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, cudaStream_t, void**,
                     void**) = nullptr;
    Status (*getAttribute)(int*, int, void*) = nullptr;
    Status (*setAttribute)(void*, int, int) = nullptr;
    Status (*occupancy)(int*, void*, int, std::size_t) = nullptr;

    bool whole() const {
        return loadData && unload && getFunction && getGlobal && launch && getAttribute && setAttribute && occupancy;
    }
};

constexpr int kSharedSize = 1, kLocalSize = 3, kRegisters = 4, kMostDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_*

const Driver& driver() {
    static const Driver all = [] {
        Driver d;
        void* const handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
        if (handle == nullptr) return d;
        const auto take = [&]<class F>(const char* name, F& function) {
            function = reinterpret_cast<F>(dlsym(handle, name));
        };
        take("cuModuleLoadData", d.loadData);
        take("cuModuleUnload", d.unload);
        take("cuModuleGetFunction", d.getFunction);
        take("cuModuleGetGlobal_v2", d.getGlobal);
        take("cuLaunchKernel", d.launch);
        take("cuFuncGetAttribute", d.getAttribute);
        take("cuFuncSetAttribute", d.setAttribute);
        take("cuOccupancyMaxActiveBlocksPerMultiprocessor", d.occupancy);
        return d;
    }();
    return all;
}

bool switchedOff() {
    const char* wish = std::getenv("WARPLENS_SPECIALISE");
    return wish != nullptr && std::string_view(wish) == "off";
}

bool same(const Special& a, const Special& b) {
    const auto equal = [](const char* x, const char* y) { return x == y || std::strcmp(x, y) == 0; };
    return a.numbers == b.numbers && a.count == b.count && equal(a.kernel, b.kernel) && equal(a.type, b.type) &&
           equal(a.file, b.file) && equal(a.family, b.family);
}

}  // namespace

/// An instance that was asked for; its kernel is loaded once there is code.
struct SpecialKernels::Entry {
    Special special;
    Specialisation state{};
    SpecialKernel kernel{};
    bool settled = false;  ///< loaded, or given up
    /// Once it was asked: it compiles until the device is closed.
    std::shared_ptr<Specialiser> specialiser{};
};

SpecialKernels::SpecialKernels() = default;

SpecialKernels::~SpecialKernels() {
    // The driver frees what a lost context held.
    for (const auto& entry : m_entries)
        if (entry->kernel.module != nullptr) driver().unload(entry->kernel.module);
}

SpecialKernels::Entry* SpecialKernels::entryOf(const Special& special) const {
    for (const auto& entry : m_entries)
        if (same(entry->special, special)) return entry.get();
    return nullptr;
}

void SpecialKernels::load(Entry& entry, const CompiledKernel& code) {
    const Driver& d = driver();
    if (!d.whole())
        throw Error(Error::Kind::unsupported, "libcuda.so.1 lacks the functions that load a module: update the driver");
    check(d.loadData(&entry.kernel.module, code.cubin.data()), "cuModuleLoadData");
    check(d.getFunction(&entry.kernel.function, entry.kernel.module, code.function.c_str()), "cuModuleGetFunction");
    for (const std::string& name : code.constants) {
        std::uint64_t address = 0;
        std::size_t bytes = 0;
        check(d.getGlobal(&address, &bytes, entry.kernel.module, name.c_str()), "cuModuleGetGlobal", name);
        entry.kernel.constants.push_back(address);
    }
    entry.state.used = true;
    entry.state.reason.clear();
}

void SpecialKernels::settle(Entry& entry, const std::vector<ConstantValues>& constants, const Waiting& waiting) {
    Specialisation& state = entry.state;
    const auto giveUp = [&](const std::string& why) {
        state = {.reason = why};
        entry.settled = true;
    };
    if (*entry.special.refusal != '\0') return giveUp(entry.special.refusal);
    if (switchedOff()) return giveUp("switched off by WARPLENS_SPECIALISE=off");
    CompileRequest request{.file = entry.special.path(),
                           .expression = entry.special.expression(),
                           .constants = {},
                           .capability = waiting.capability};
    for (const ConstantValues& constant : constants) request.constants.push_back(constant.name);
    if (!entry.specialiser) entry.specialiser = Specialiser::ofProgram();
    const auto made = entry.specialiser->ask(request, waiting.seconds, waiting.stop);
    if (!made) {
        state.reason = "the kernel for this task is still being compiled";
        state.pending = true;
        return;
    }
    if (!made->kernel) return giveUp(made->failure);
    state = {.used = false,
             .compileMs = made->kernel->compileMs,
             .cached = made->cached,
             .readyMs = made->readyMs,
             .reason = {}};
    entry.settled = true;
    try {
        load(entry, *made->kernel);
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::fault) throw;
        state.reason = error.what();
    }
}

void SpecialKernels::ready(const Special& special, const std::vector<ConstantValues>& constants, cudaStream_t stream,
                           const Waiting& waiting) {
    Entry* entry = entryOf(special);
    if (entry == nullptr) entry = m_entries.emplace_back(std::make_unique<Entry>(Entry{.special = special})).get();
    if (!entry->settled) settle(*entry, constants, waiting);
    if (!entry->state.used) return;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const auto to = reinterpret_cast<void*>(entry->kernel.constants.at(i));
        WARPLENS_CUDA(
            cudaMemcpyAsync(to, constants[i].bytes.data(), constants[i].bytes.size(), cudaMemcpyHostToDevice, stream));
    }
}

Specialisation SpecialKernels::state(const Special& special) const {
    const Entry* entry = entryOf(special);
    return entry != nullptr ? entry->state : Specialisation{.reason = "no kernel was compiled for this task"};
}

SpecialKernel* SpecialKernels::find(const Special& special) {
    Entry* entry = entryOf(special);
    return entry != nullptr && entry->state.used ? &entry->kernel : nullptr;
}

void SpecialKernels::launch(SpecialKernel& kernel, const LaunchExtent& extent, cudaStream_t stream, void** arguments) {
    constexpr std::size_t kWithoutAsking = 48 * 1024;
    const Driver& d = driver();
    const auto& [grid, block, sharedBytes] = extent;
    if (sharedBytes > kWithoutAsking && kernel.granted < sharedBytes) {
        check(d.setAttribute(kernel.function, kMostDynamicShared, static_cast<int>(sharedBytes)), "cuFuncSetAttribute");
        kernel.granted = sharedBytes;
    }
    check(d.launch(kernel.function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                   static_cast<unsigned>(sharedBytes), stream, arguments, nullptr),
          "kernel launch");
}

KernelAttributes SpecialKernels::attributes(const SpecialKernel& kernel, const LaunchExtent& extent) {
    const Driver& d = driver();
    KernelAttributes made;
    check(d.getAttribute(&made.registers, kRegisters, kernel.function), "cuFuncGetAttribute");
    check(d.getAttribute(&made.localBytes, kLocalSize, kernel.function), "cuFuncGetAttribute");
    check(d.getAttribute(&made.staticSharedBytes, kSharedSize, kernel.function), "cuFuncGetAttribute");
    const auto threads = static_cast<int>(extent.block.x * extent.block.y * extent.block.z);
    check(d.occupancy(&made.blocksPerMultiprocessor, kernel.function, threads, extent.sharedBytes),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return made;
}

}  // namespace warplens::gpu::cuda

namespace warplens::gpu {

SpecialisingState specialisingState() {
    SpecialisingState state;
    if (const std::string version = cuda::nvrtcVersion(); !version.empty()) state.compiler = "NVRTC " + version;
    state.why = cuda::switchedOff() ? "switched off by WARPLENS_SPECIALISE=off" : cuda::nvrtcRefusal(0);
    return state;
}

}  // namespace warplens::gpu
