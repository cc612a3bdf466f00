// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/loading.hpp"
#include "gpu/device/cuda/special_kernels.hpp"
#include "gpu/device/cuda/specialiser.hpp"
#include "gpu/device/specialisation_mode.hpp"

#include <algorithm>
#include <dlfcn.h>

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

bool switchedOff() { return specialisingWish() == SpecialisationMode::off; }

}  // namespace

SpecialKernel::~SpecialKernel() {
    // The driver frees what a lost context held.
    if (module != nullptr) driver().unload(module);
}

/// An instance that was asked for; its kernel is loaded once there is code.
struct SpecialKernels::Entry {
    explicit Entry(const Special& asked) : key(asked), refusal(asked.refusal) {
        if (asked.weights != nullptr) weights = *asked.weights;
    }

    SpecialKey key;
    std::string refusal;           ///< why it is not to be made, or empty
    std::vector<float> weights{};  ///< copied, as they are kept longer than a call
    Specialisation state{};
    std::shared_ptr<SpecialKernel> kernel = std::make_shared<SpecialKernel>();
    bool settled = false;  ///< loaded, or given up
    /// Once it was asked: it compiles until the device is closed.
    std::shared_ptr<Specialiser> specialiser{};
};

SpecialKernels::SpecialKernels() : m_entries(std::make_unique<LruCache<Entry>>(kMost)) {}

SpecialKernels::~SpecialKernels() = default;

SpecialKernels::Entry* SpecialKernels::entryOf(const Special& special) const {
    return m_entries->find([key = SpecialKey(special)](const Entry& entry) { return entry.key == key; });
}

std::shared_ptr<SpecialKernel> loadKernel(const CompiledKernel& code) {
    const Driver& d = driver();
    if (!d.whole())
        throw Error(Error::Kind::unsupported, "libcuda.so.1 lacks the functions that load a module: update the driver");
    auto made = std::make_shared<SpecialKernel>();
    SpecialKernel& kernel = *made;
    check(d.loadData(&kernel.module, code.cubin.data()), "cuModuleLoadData");
    check(d.getFunction(&kernel.function, kernel.module, code.function.c_str()), "cuModuleGetFunction");
    for (const std::string& name : code.constants) {
        std::uint64_t address = 0;
        std::size_t bytes = 0;
        check(d.getGlobal(&address, &bytes, kernel.module, name.c_str()), "cuModuleGetGlobal", name);
        kernel.constants.push_back(address);
    }
    return made;
}

void SpecialKernels::load(Entry& entry, const CompiledKernel& code) {
    entry.kernel = loadKernel(code);
    entry.state.used = true;
    entry.state.reason.clear();
}

void SpecialKernels::settle(Entry& entry, const std::vector<ConstantValues>& constants, const Waiting& waiting) {
    Specialisation& state = entry.state;
    const auto giveUp = [&](const std::string& why) {
        state = {.reason = why};
        entry.settled = true;
    };
    if (!entry.refusal.empty()) return giveUp(entry.refusal);
    if (switchedOff()) return giveUp("switched off by WARPLENS_SPECIALISE=off");
    CompileRequest request{.file = entry.key.path,
                           .expression = entry.key.expression,
                           .constants = {},
                           .capability = waiting.capability,
                           .weights = entry.weights};
    for (const ConstantValues& constant : constants) request.constants.push_back(constant.name);
    if (!entry.specialiser) entry.specialiser = Specialiser::ofProgram();
    // For the weights alone nobody waits as long: what serves all filters of the extent is slower by far less.
    constexpr double kMostForWeights = 3;
    const double seconds = entry.weights.empty() ? waiting.seconds : std::min(waiting.seconds, kMostForWeights);
    const auto made = entry.specialiser->ask(request, seconds, waiting.stop);
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
             .reason = {},
             .weights = !entry.weights.empty()};
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
    Entry* entry = m_entries->use([key = SpecialKey(special)](const Entry& known) { return known.key == key; });
    if (entry == nullptr) entry = &m_entries->add(Entry(special));
    if (!entry->settled) settle(*entry, constants, waiting);
    if (!entry->state.used) return;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const auto to = reinterpret_cast<void*>(entry->kernel->constants.at(i));
        WARPLENS_CUDA(
            cudaMemcpyAsync(to, constants[i].bytes.data(), constants[i].bytes.size(), cudaMemcpyHostToDevice, stream));
    }
}

Specialisation SpecialKernels::state(const Special& special) const {
    const Entry* entry = entryOf(special);
    return entry != nullptr ? entry->state : Specialisation{.reason = "no kernel was compiled for this task"};
}

std::shared_ptr<SpecialKernel> SpecialKernels::find(const Special& special) const {
    const Entry* entry = entryOf(special);
    return entry != nullptr && entry->state.used ? entry->kernel : nullptr;
}

void SpecialKernels::trim(const std::vector<Special>& kept) {
    const std::vector<SpecialKey> keys(kept.begin(), kept.end());
    m_entries->trim(
        [&](const Entry& entry) {
            return entry.kernel.use_count() > 1 || std::ranges::find(keys, entry.key) != keys.end();
        },
        [] { WARPLENS_CUDA(cudaDeviceSynchronize()); });
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
