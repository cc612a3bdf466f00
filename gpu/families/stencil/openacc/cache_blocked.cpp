// SPDX-License-Identifier: Apache-2.0
// Idea: two steps at a time, block by block of a line: what lies between them stays in a buffer that fits the cache.
// Changed from resident: cells are read and written once for two steps; two cells per block are stepped twice.
// Needs: a stencil of one dimension; a compiler with -fopenacc.
// Copies: all cells once there and once back, whatever the number of steps.
// Source: Wolf and Lam, PLDI 1991 (blocking for a cache); our own.
// Look at: the buffer: a gang has its own, 8 KiB, as a block of threads has its shared memory.
#include "gpu/families/stencil/openacc/cells.hpp"
#include "gpu/families/stencil/openacc/rows.hpp"

#include <utility>

namespace warplens::gpu::stencil {
namespace {

constexpr int kBlock = 2046;  ///< cells, beside which the buffer has one more at each end

/// One step over all cells, or two; returns the bits of the last one's largest change.
unsigned stepLines(const PlainStep& step, bool two, const float* now, float* next) {
    const int width = step.width, height = step.height, depth = step.depth, lines = height * depth * step.fields;
    const int taps = step.taps, boxes = step.boxes, blocks = (width + kBlock - 1) / kBlock;
    const float* weights = step.weights.data();
    const std::int64_t* offsets = step.offsets.data();
    const int* box = step.box.data();
    const std::int64_t cells = step.cells();
    unsigned change = 0;
#pragma acc data copyin(weights [0:27], offsets [0:27], box [0:48])
#pragma acc parallel loop gang collapse(2) reduction(max : change) present(now [0:cells], next [0:cells])
    for (int line = 0; line < lines; ++line) {
        for (int block = 0; block < blocks; ++block) {
            float buffer[kBlock + 2];
            const std::int64_t start = std::int64_t{line} * width;
            const int y = line % height, z = line / height % depth, first = block * kBlock;
            const int last = first + kBlock < width ? first + kBlock : width;
            const auto held = [=](int x) { return keeps(x, y, z, width, height, depth, 1, boxes, box); };
            // Of cells at the line's ends there is none beside.
            const int from = first > 0 ? first - 1 : 0, to = last < width ? last + 1 : width;
            for (int x = from; x < to; ++x)
                buffer[x - first + 1] = held(x) ? now[start + x] : stepped(now, start + x, taps, weights, offsets);
            for (int x = first; x < last; ++x) {
                const float before = two ? buffer[x - first + 1] : now[start + x];
                const float after =
                    two && !held(x) ? stepped(buffer, x - first + 1, taps, weights, offsets) : buffer[x - first + 1];
                const unsigned bits = bitsOfChange(before, after);
                change = bits > change ? bits : change;
                next[start + x] = after;
            }
        }
    }
    return change;
}

}  // namespace

float* cacheBlocked(const PlainStep& step, Steps& steps, float* now, float* next) {
    const std::int64_t cells = step.cells();
#pragma acc data copyin(now [0:cells]) create(next [0:cells])
    {
        while (steps.more()) {
            // A change that is looked at is that of the last step.
            const bool two = !steps.looks() && steps.more();
            const unsigned change = stepLines(step, two, now, next);
            if (steps.looks()) steps.saw(change);
            std::swap(now, next);
        }
#pragma acc update self(now [0:cells])
    }
    return now;
}

}  // namespace warplens::gpu::stencil
