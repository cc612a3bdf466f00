// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/code_needs.hpp"
#include "gpu/device/cuda/launch.cuh"

#include <algorithm>
#include <utility>

namespace warplens::gpu {

void CudaContext::record(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes) {
    constexpr std::size_t kWithoutAsking = 48 * 1024;
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
    if (sharedBytes > kWithoutAsking && granted[kernel] < sharedBytes) {
        WARPLENS_CUDA(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedBytes)));
        granted[kernel] = sharedBytes;
    }
    note({.kernel = kernel, .extent = {grid, block, sharedBytes}, .specialisation = std::exchange(m_general, {})});
}

void CudaContext::note(Launch launch) {
    constexpr std::size_t kMostLaunches = 16;
    if (launches.size() < kMostLaunches) launches.push_back(std::move(launch));
}

bool CudaContext::plan(const Special& special) {
    const bool wanted = special.weights == nullptr || weightsToo || specials.find(special) != nullptr;
    if (wanted) planned.push_back(special);
    return wanted;
}

std::shared_ptr<cuda::SpecialKernel> CudaContext::takeSpecial(const Special& special,
                                                              const cuda::LaunchExtent& extent) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
    const auto kernel = specials.find(special);
    if (kernel == nullptr) {
        // One for the very weights that nobody asked for is nothing to speak of: others serve.
        if (special.weights == nullptr || specials.knows(special)) m_general = specials.state(special);
        return kernel;
    }
    m_general.reset();
    note({.special = kernel, .extent = extent, .specialisation = specials.state(special)});
    if (recorded != nullptr) recorded->push_back(kernel);
    return kernel;
}

void CudaContext::planLaunches(const std::function<void()>& work) {
    planned.clear();
    planning = true;
    try {
        work();
    } catch (...) {
        planning = false;
        throw;
    }
    planning = false;
}

void CudaContext::specialise(const std::function<void()>& work, const cuda::Waiting& waiting) {
    const auto written = std::exchange(constants, {});
    const auto readyAll = [&] {
        for (const Special& special : planned) specials.ready(special, written, stream, waiting);
    };
    weightsToo = !waiting.moving;
    planLaunches(work);
    readyAll();
    const auto missing = [&](const Special& special) {
        return special.weights != nullptr && specials.find(special) == nullptr;
    };
    if (std::ranges::any_of(planned, missing)) {  // what serves in their place
        weightsToo = false;
        planLaunches(work);
        readyAll();
    }
    specials.trim(planned);
}

void CudaContext::remember(const char* name, std::span<const std::byte> values) {
    std::erase_if(constants, [&](const cuda::ConstantValues& known) { return known.name == name; });
    constants.push_back({name, {values.begin(), values.end()}});
}

namespace {

/// The runtime's word on a kernel of the program's own.
cuda::KernelAttributes attributesOf(const void* kernel, const cuda::LaunchExtent& extent) {
    cudaFuncAttributes attributes{};
    WARPLENS_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    cuda::KernelAttributes made{.registers = attributes.numRegs,
                                .localBytes = static_cast<int>(attributes.localSizeBytes),
                                .staticSharedBytes = static_cast<int>(attributes.sharedSizeBytes)};
    const auto threads = static_cast<int>(extent.block.x * extent.block.y * extent.block.z);
    WARPLENS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&made.blocksPerMultiprocessor, kernel, threads,
                                                                extent.sharedBytes));
    return made;
}

/// Of several kernels: special when all are that could be, and the time that all took.
void add(std::optional<Specialisation>& all, const std::optional<Specialisation>& one) {
    if (!one) return;
    if (!all) {
        all = one;
        return;
    }
    all->used = all->used && one->used;
    all->cached = all->cached && one->cached;
    all->compileMs += one->compileMs;
    all->readyMs = std::max(all->readyMs, one->readyMs);
    if (all->reason.empty()) all->reason = one->reason;
    all->pending = all->pending || one->pending;
}

}  // namespace

LaunchFacts CudaContext::takeFacts() {
    LaunchFacts facts;
    facts.kernels = 0;
    facts.occupancy = 1;
    for (const Launch& l : std::exchange(launches, {})) {
        const auto& [grid, block, sharedBytes] = l.extent;
        const cuda::KernelAttributes attributes = l.special != nullptr
                                                      ? cuda::SpecialKernels::attributes(*l.special, l.extent)
                                                      : attributesOf(l.kernel, l.extent);
        const auto threads = static_cast<int>(block.x * block.y * block.z);
        int device = 0, most = 0;
        WARPLENS_CUDA(cudaGetDevice(&device));
        WARPLENS_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device));
        if (facts.kernels++ == 0) {
            facts.grid = {grid.x, grid.y, grid.z};
            facts.block = {block.x, block.y, block.z};
        }
        facts.registers = std::max(facts.registers, attributes.registers);
        facts.sharedBytes =
            std::max(facts.sharedBytes, static_cast<std::int64_t>(sharedBytes) + attributes.staticSharedBytes);
        facts.localBytes = std::max(facts.localBytes.value_or(0), std::int64_t{attributes.localBytes});
        facts.occupancy =
            std::min(facts.occupancy, static_cast<double>(attributes.blocksPerMultiprocessor) * threads / most);
        add(facts.special, l.specialisation);
    }
    return facts;
}

std::optional<int> compiledCapability(const void* kernel, const DeviceInfo& device) {
    cudaFuncAttributes attributes{};
    const int index = std::stoi(device.id.substr(device.id.find(':') + 1));
    if (cudaSetDevice(index) == cudaSuccess && cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess)
        return attributes.ptxVersion;
    // Unless it is sticky, nobody else must find it.
    cudaGetLastError();
    return std::nullopt;
}

}  // namespace warplens::gpu
