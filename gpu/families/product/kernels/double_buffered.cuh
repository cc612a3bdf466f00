// SPDX-License-Identifier: Apache-2.0
// Idea: copies of the next tiles go to shared memory by themselves while this one is multiplied.
// Changed from warp_tile: three tiles in turn, one barrier each; the left tile stays as it lies, its rows a quad
// longer, and a thread reads four terms of each of its rows at once.
// Needs: rows of both factors in whole 16 bytes; a picture that lies otherwise is copied first, timed as well.
// Block: 256 threads; tiles of 128 or 256 rows, 128 columns, 16 deep: 54 or 84 KiB of shared memory, 64 or 128 sums per
// thread.
// Source: CUDA C++ Programming Guide, asynchronous copies; our own.
// Look at: registers, and what issues beside multiply-adds: 16 shared loads for 256 of them, or 24 for 512.
#pragma once

#include "gpu/families/product/pipeline.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

inline void launchDoubleBuffered(LaunchContext& c, const Multiplication& m, const TunableValues& t) {
    t.at("outputs_per_thread") == 64 ? launchPipeline<8>(c, m) : launchPipeline<16>(c, m);
}

inline Footprint pipelineFootprint(const Case&, const TunableValues& t) {
    return tileFootprint(256, 128, 2 * t.at("outputs_per_thread"), PipelinePolicy<8>::kDeep);
}

inline std::size_t pipelineBytes(const Case&, const TunableValues& t) {
    return t.at("outputs_per_thread") == 64 ? PipelinePolicy<8>::kBytes : PipelinePolicy<16>::kBytes;
}

KernelEntry double_buffered_entry() {
    return {.multiply = &launchDoubleBuffered,
            .footprint = &pipelineFootprint,
            .sharedBytes = &pipelineBytes,
            .quads = true,
            .code = {kTensorCapability, [] { return reinterpret_cast<const void*>(&double_buffered<8>); }}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
