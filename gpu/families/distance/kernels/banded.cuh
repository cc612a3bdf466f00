// SPDX-License-Identifier: Apache-2.0
// Idea: nearest columns of a row never cross: those of two pixels bound where those between have to be looked for.
// Changed from separable: one block per row in shared memory; bands are halved until a warp has 32 neighbours.
// Needs: a row, and of a volume 8 or 16 lines along z, in shared memory.
// Block: block_width threads; shared memory of 4 bytes per pixel of the row and 2 per band.
// Source: bands as in Cao, Tang, Mohamed and Tan 2010; halving as in the totally monotone matrices of Aggarwal et al.
// 1987.
// Look at: time against separable: it does not depend on where sites are.
#pragma once

#include "gpu/families/distance/halving.cuh"

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

template <class Cost>
__global__ void band_rows(Bands b, Sink<Cost> out, Axis<Cost> alongX, Axis<Cost> alongY, Start start) {
    Cost* const costs = reinterpret_cast<Cost*>(dynamicShared);
    auto* const nearest = reinterpret_cast<std::uint16_t*>(costs + b.width);
    const int y = start.row + blockIdx.y, layer = start.layer + blockIdx.z;
    for (int x = threadIdx.x; x < b.width; x += blockDim.x) costs[x] = costOf(b.offset(layer, y, x), alongY);
    __syncthreads();
    const int stretches = (b.width + kStretch - 1) / kStretch;
    nearestOfStretches(costs, nearest, stretches, b.width, alongX);
    const std::size_t row = (static_cast<std::size_t>(layer) * b.height + y) * b.width;
    const int warps = blockDim.x / 32;
    for (int i = threadIdx.x / 32; i < stretches; i += warps) {
        const int x = i * kStretch + static_cast<int>(threadIdx.x % 32);
        if (x >= b.width) continue;
        const int first = i > 0 ? nearest[i - 1] : 0, last = nearest[i];
        Wide<Cost> square = kNone<Cost>;
#pragma unroll 4
        for (int at = first; at <= last; ++at) square = lesser(square, costs[at] + alongX(at - x));
        out.store(row + x, square);
    }
}

template <class Cost>
__global__ void band_deep(const Cost* between, Sink<Cost> out, int width, int height, int depth, int lines,
                          Axis<Cost> along, Start start) {
    Cost* const costs = reinterpret_cast<Cost*>(dynamicShared);
    auto* const nearest = reinterpret_cast<std::uint16_t*>(costs + static_cast<std::size_t>(lines) * depth);
    const DeepLines l = deepLines(width, height, depth, lines, start);
    if (l.inside)
        for (int z = l.worker; z < depth; z += l.workers) costs[z * lines + l.lane] = between[l.first + z * l.slice];
    __syncthreads();
    halveDeep(costs, nearest, out, depth, lines, along, l);
}

inline Footprint bandedFootprint(const Case& c, const TunableValues& t) { return rowFootprint(c, t); }

inline std::size_t bandedShared(const Case& c) {
    const auto rows = 4 * static_cast<std::size_t>(c.width) + 2 * std::size_t{ceilDiv(c.width, kStretch)};
    const auto deep = c.depth == 1 ? 0 : 6 * static_cast<std::size_t>(linesOf(c)) * static_cast<std::size_t>(c.depth);
    return std::max(rows, deep);
}

inline void launchBanded(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    launchByRows(c, a, t, &bandedShared, [&]<class Cost>(Cost) {
        return RowKernels<Cost>{&band_rows<Cost>, &band_deep<Cost>};
    });
}

KernelEntry banded_entry() {
    return {.launch = &launchBanded,
            .footprint = &bandedFootprint,
            .scratchBytes = &rowScratch,
            .sharedBytes = &bandedShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
