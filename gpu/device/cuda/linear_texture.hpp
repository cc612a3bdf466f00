// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/check.hpp"
#include "gpu/device/linear_texture.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace warplens::gpu::cuda {

/// A texture of `count` values in memory of the current device. An object says where they lie and holds nothing; so it
/// is kept for the next launch, and none is taken from a kernel that still runs. Throws Error.
template <class T>
LinearTexture linearTexture(const T* values, std::size_t count) {
    constexpr std::size_t kAlignment = 512, kMostKept = 256;
    static std::mutex mutex;
    static std::map<std::pair<const T*, std::size_t>, cudaTextureObject_t> kept;
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(values) % kAlignment / sizeof(T);
    const std::lock_guard lock(mutex);
    const auto [place, fresh] = kept.try_emplace({values, count});
    if (fresh) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<T*>(values - beyond);
        resource.res.linear.desc = cudaCreateChannelDesc<T>();
        resource.res.linear.sizeInBytes = (beyond + count) * sizeof(T);
        cudaTextureDesc reading{};
        reading.readMode = cudaReadModeElementType;
        const cudaError_t made = cudaCreateTextureObject(&place->second, &resource, &reading, nullptr);
        if (made != cudaSuccess) kept.erase(place);
        check(made, "cudaCreateTextureObject");
    }
    const LinearTexture texels{place->second, static_cast<unsigned>(beyond)};
    if (kept.size() > kMostKept) {
        const auto other = kept.begin()->second == texels.texture ? std::next(kept.begin()) : kept.begin();
        WARPLENS_CUDA(cudaDeviceSynchronize());
        WARPLENS_CUDA(cudaDestroyTextureObject(other->second));
        kept.erase(other);
    }
    return texels;
}

}  // namespace warplens::gpu::cuda
