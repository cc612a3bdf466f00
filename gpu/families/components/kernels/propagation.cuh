// SPDX-License-Identifier: Apache-2.0
// Idea: a pixel takes the lowest number among its own and its neighbours', again and again, until none changes.
// Changed from: nothing, this is where the ladder starts.
// Needs: as many passes as the longest way is long, plus one.
// Block: block_width threads, no shared memory, two buffers.
// Source: Hawick, Leist and Playne 2010, kernel A; re-derived, with two buffers, so that passes can be counted.
// Look at: the table of passes: most pixels are done early, and all are read again until the last one is.
#pragma once

#include "gpu/families/components/launching.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

__global__ void propagation(const unsigned* from, unsigned* to, Extent e, unsigned* changes) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool there = i < e.pixels();
    const unsigned before = there ? from[i] : kOutside;
    unsigned lowest = before;
    if (before != kOutside) {
        const auto width = static_cast<unsigned>(e.width), height = static_cast<unsigned>(e.height);
        const int x = static_cast<int>(i % width), y = static_cast<int>(i / width % height),
                  z = static_cast<int>(i / width / height);
        const auto take = [&](int nx, int ny, int nz) {
            if (!e.contains(nx, ny, nz)) return;
            const unsigned other = from[e.at(nx, ny, nz)];
            if (other < lowest) lowest = other;
        };
        eachBefore(e, [&](int dx, int dy, int dz) {
            take(x + dx, y + dy, z + dz);
            take(x - dx, y - dy, z - dz);
        });
    }
    if (there) to[i] = lowest;
    const unsigned changed = __ballot_sync(kAllLanes, lowest != before);
    if (threadIdx.x % 32 == 0 && changed != 0) atomicAdd(changes, static_cast<unsigned>(__popc(changed)));
}

inline void launchBeginPropagation(LaunchContext& c, const Task& task, const TunableValues& t) {
    launchBeginForest(c, task, static_cast<unsigned>(t.at("block_width")));
}

inline void launchPropagation(LaunchContext& c, const Task& task, std::uint64_t changes, const TunableValues& t) {
    const auto block = static_cast<unsigned>(t.at("block_width"));
    unsigned* from = parentsOf(c, task);
    unsigned* to = static_cast<unsigned*>(c.address(task.output));
    auto* const counts = static_cast<unsigned*>(c.address(changes));
    for (int pass = 0; pass < kPassesAtOnce; ++pass) {
        launch(c, &propagation, blocksFor(task.pixels(), block), dim3(block), 0, static_cast<const unsigned*>(from), to,
               extentOf(task), counts + pass);
        unsigned* const swapped = from;
        from = to;
        to = swapped;
    }
}

KernelEntry propagation_entry() {
    return {.link = &launchBeginPropagation, .passes = &launchPropagation, .footprint = &pixelsFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
