// SPDX-License-Identifier: Apache-2.0
// Idea: a directive before the loops of one step makes them parallel; its data clauses copy the cells there and back.
// Changed from naive.cuh: no kernel, no block, no index of a thread: loops over cells, and what they read and write.
// Needs: any pattern, any extent; a compiler with -fopenacc.
// Copies: every step takes all cells to the device and all results back, 8 bytes a cell.
// Source: Kirk and Hwu, 2nd ed., chapter 15, Parallel programming with OpenACC; re-derived.
// Look at: copyin and copyout before the loops: next to a step's arithmetic they are most of its time on a GPU.
#include "gpu/families/stencil/openacc/cells.hpp"
#include "gpu/families/stencil/openacc/rows.hpp"

#include <utility>

namespace warplens::gpu::stencil {

float* copyEveryStep(const PlainStep& step, Steps& steps, float* now, float* next) {
    const int width = step.width, height = step.height, depth = step.depth, slices = depth * step.fields;
    const int axes = step.axes, taps = step.taps, boxes = step.boxes;
    const float* weights = step.weights.data();
    const std::int64_t* offsets = step.offsets.data();
    const int* box = step.box.data();
    const std::int64_t cells = step.cells();
    while (steps.more()) {
#pragma acc parallel loop collapse(3) copyin(now [0:cells], weights [0:27], offsets [0:27], box [0:48]) \
    copyout(next [0:cells])
        for (int z = 0; z < slices; ++z) {
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const std::int64_t i = (std::int64_t{z} * height + y) * width + x;
                    const bool kept = keeps(x, y, z % depth, width, height, depth, axes, boxes, box);
                    next[i] = kept ? now[i] : stepped(now, i, taps, weights, offsets);
                }
            }
        }
        if (steps.looks()) {
            unsigned change = 0;
#pragma acc parallel loop reduction(max : change) copyin(now [0:cells], next [0:cells])
            for (std::int64_t i = 0; i < cells; ++i) {
                const unsigned bits = bitsOfChange(now[i], next[i]);
                change = bits > change ? bits : change;
            }
            steps.saw(change);
        }
        std::swap(now, next);
    }
    return now;
}

}  // namespace warplens::gpu::stencil
