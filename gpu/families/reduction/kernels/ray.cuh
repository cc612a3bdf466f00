// SPDX-License-Identifier: Apache-2.0
// Idea: a projection: one thread makes one value of the result, and walks its line from end to end.
// Changed: the first of the variants that make a picture; there is no tree, since there are more lines than threads.
// Needs: nothing; any axis.
// Block: block_width threads, no shared memory.
// Source: ours.
// Look at: the stride of the walk: along y and z the lanes of a warp read neighbours, along x each another row.
#pragma once

#include "gpu/families/reduction/lines.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void ray(Rays<T> rays) {
    const Wide output = Wide{blockIdx.x} * blockDim.x + threadIdx.x;
    if (output >= rays.outputs) return;
    const T* const first = rays.lineOf(output);
    Line<T> line;
    for (Wide i = 0; i < rays.length; ++i) line.add(first[i * rays.inner]);
    rays.store(output, line);
}

inline void launchRay(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchRays(c, a, [&]<class T>(const Rays<T>& rays) {
        const unsigned threads = blockWidthOf(t);
        launch(c, &ray<T>, dim3(static_cast<unsigned>((rays.outputs + threads - 1) / threads)), dim3(threads), 0, rays);
    });
}

KernelEntry ray_entry() {
    return {.launch = &launchRay, .footprint = &footprintOfElements, .statistics = false, .projects = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
