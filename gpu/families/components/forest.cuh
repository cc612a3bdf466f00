// SPDX-License-Identifier: Apache-2.0
#pragma once

// Union-find that many threads work on at once. A node's parent comes before it, a root is its own parent; roots alone
// are hung below others, by compare-and-swap, and what lies on a path is hung higher as someone passes. So a parent
// that is read too early is an older ancestor, and nothing waits.

#include "gpu/kernels/relaxed.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

constexpr unsigned kOutside = 0xffffffffU;
/// Of a root that has its number: the rest of the word.
constexpr unsigned kNumbered = 0x80000000U;

/// The root above a node, or the node itself where it is outside. Whatever memory holds, the way leads down to 0.
__device__ inline unsigned rootOf(unsigned* parents, unsigned node) {
    unsigned parent = relaxedLoad(&parents[node]);
    while (parent < node) {
        const unsigned above = relaxedLoad(&parents[parent]);
        if (above < parent) relaxedStore(&parents[node], above);
        node = parent;
        parent = above;
    }
    return node;
}

/// The same way, leaving it as it is. Where every node is hung below its root at once, a store for someone who passes
/// would come after the root's and hang the node below an older ancestor.
__device__ inline unsigned rootAbove(const unsigned* parents, unsigned node) {
    unsigned parent = relaxedLoad(&parents[node]);
    while (parent < node) {
        node = parent;
        parent = relaxedLoad(&parents[node]);
    }
    return node;
}

/// The number that the root above a node has, when all have theirs; 0 outside, and where the trace leaves blocks out.
__device__ inline unsigned numberAbove(const unsigned* parents, unsigned node) {
    unsigned word = parents[node];
    while (word < node) {
        node = word;
        word = parents[node];
    }
    return (word & kNumbered) != 0 && word != kOutside ? word & ~kNumbered : 0;
}

/// Makes one tree of two.
__device__ inline void unite(unsigned* parents, unsigned a, unsigned b) {
    a = rootOf(parents, a);
    b = rootOf(parents, b);
    while (a != b) {
        const unsigned first = a < b ? a : b, second = a < b ? b : a;
        const unsigned was = atomicCAS(&parents[second], second, first);
        if (was >= second) return;  // it was a root, and hangs below the other now
        a = rootOf(parents, was);
        b = rootOf(parents, first);
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
