// SPDX-License-Identifier: Apache-2.0
// Idea: what follows two steps of morphology, the same for every variant: one picture minus another.
// Changed from: -
// Needs: pictures of one type and size; the result may lie where one of them does.
// Block: 256 threads; nothing shared.
// Source: -
// Look at: two reads and a write, which a kernel of its own pays and a fused second step would not.
#pragma once

#include "gpu/families/rank/launching.cuh"

#include <type_traits>

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void subtract(const T* from, const T* what, T* to, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
        const T a = from[i], b = what[i];
        to[i] = std::is_floating_point_v<T> || a > b ? static_cast<T>(a - b) : T{};
    }
}

inline void launchSubtract(LaunchContext& c, std::uint64_t from, std::uint64_t what, std::uint64_t to,
                           std::size_t count, io::PixelType type) {
    constexpr unsigned kStepThreads = 256, kMostStepBlocks = 132 * 64;
    const auto blocks =
        static_cast<unsigned>(std::min<std::size_t>((count + kStepThreads - 1) / kStepThreads, kMostStepBlocks));
    io::withSampleType(type, [&]<class T>(T) {
        launch(c, &subtract<T>, dim3(blocks), dim3(kStepThreads), 0, static_cast<const T*>(c.address(from)),
               static_cast<const T*>(c.address(what)), static_cast<T*>(c.address(to)), count);
    });
}

StepsEntry steps_entry() { return {.subtract = &launchSubtract}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
