// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/kernels/ceil_div.hpp"
#include "tests/families/toy/arguments.hpp"

#include <cstddef>

namespace warplens::gpu::toy {
inline namespace WARPLENS_BUILD {

/// What a kernel of T works on.
template <class T>
struct Planes {
    const T* in;
    T* out;
    unsigned long long* counts;  ///< a channel
    int width, height, depth;
    float level;
    T above;

    __device__ void threshold(int x, int y, unsigned plane) const {
        if (x >= width || y >= height) return;
        const std::size_t i = (static_cast<std::size_t>(plane) * height + y) * width + x;
        const bool over = static_cast<float>(in[i]) > level;
        out[i] = over ? above : T{};
        if (over) atomicAdd(&counts[plane / depth], 1ULL);
    }
};

/// Calls f(Planes<T>) for the picture's type.
template <class F>
void dispatch(LaunchContext& c, const Arguments& a, F f) {
    const auto of = [&]<class T>(T) {
        f(Planes<T>{static_cast<const T*>(c.address(a.input)), static_cast<T*>(c.address(a.output)),
                    static_cast<unsigned long long*>(c.address(a.above)), a.width, a.height, a.depth, a.level,
                    static_cast<T>(largestOf(a.type))});
    };
    io::withSampleType(a.type, of);
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::toy
