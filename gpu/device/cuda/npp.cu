// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/device/npp.hpp"

#include <dlfcn.h>
#include <map>
#include <mutex>

namespace warplens::gpu::library {
namespace {

std::string nameOf(NppPart part) {
    switch (part) {
        case NppPart::exchange: return "libnppidei";
        case NppPart::filtering: return "libnppif";
        case NppPart::geometry: return "libnppig";
        case NppPart::statistics: return "libnppist";
    }
    return {};
}

/// Null where it is not found. Stays loaded: closing it would take its kernels from the running context.
void* libraryOf(NppPart part) {
    static std::mutex mutex;
    static std::map<NppPart, void*> opened;
    const std::lock_guard lock(mutex);
    const auto [place, first] = opened.try_emplace(part, nullptr);
    if (!first) return place->second;
    // Functions that take a stream context are alike from version 12 on.
    for (const char* version : {".so.13", ".so.12", ".so"}) {
        place->second = dlopen((nameOf(part) + version).c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (place->second != nullptr) break;
    }
    return place->second;
}

}  // namespace

std::string nppRefusal(std::initializer_list<NppPart> parts) {
    for (const NppPart part : parts)
        if (libraryOf(part) == nullptr)
            return nameOf(part) + " was not found: install the CUDA toolkit's NPP, or set LD_LIBRARY_PATH";
    return {};
}

void* nppFunction(NppPart part, const std::string& name) {
    void* const library = libraryOf(part);
    void* const function = library == nullptr ? nullptr : dlsym(library, name.c_str());
    if (function == nullptr)
        throw Error(Error::Kind::unsupported, nameOf(part) + " has no " + name + ": take NPP of CUDA 12 or 13");
    return function;
}

NppContext nppContext(Device& device) {
    NppContext made{.stream = static_cast<CudaContext&>(device.context()).stream};
    WARPLENS_CUDA(cudaGetDevice(&made.device));
    const auto ask = [&](cudaDeviceAttr attribute) {
        int value = 0;
        WARPLENS_CUDA(cudaDeviceGetAttribute(&value, attribute, made.device));
        return value;
    };
    made.multiprocessors = ask(cudaDevAttrMultiProcessorCount);
    made.threadsPerMultiprocessor = ask(cudaDevAttrMaxThreadsPerMultiProcessor);
    made.threadsPerBlock = ask(cudaDevAttrMaxThreadsPerBlock);
    made.sharedBytes = static_cast<std::size_t>(ask(cudaDevAttrMaxSharedMemoryPerBlock));
    made.major = ask(cudaDevAttrComputeCapabilityMajor);
    made.minor = ask(cudaDevAttrComputeCapabilityMinor);
    made.flags = cudaStreamNonBlocking;
    return made;
}

}  // namespace warplens::gpu::library
