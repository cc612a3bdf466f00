// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

/// How often each level stands in a thread's window, two counts to a word, and where the result was last.
struct Counts {
    unsigned* words;  ///< the thread's, `apart` words apart: lanes keep to their banks
    int apart;
    int level = 0;  ///< the result
    int below = 0;  ///< values of the window of smaller levels

    __device__ void clear(int levels) {
        for (int i = 0; i < levels / 2; ++i) words[i * apart] = 0;
    }
    __device__ int of(int value) const {
        return static_cast<int>(words[value / 2 * apart] >> (16 * (value % 2)) & 0xffffU);
    }
    __device__ void add(int value) {
        words[value / 2 * apart] += 1U << (16 * (value % 2));
        below += value < level;
    }
    /// One value of the window for another.
    __device__ void replace(int value, int by) {
        if (value == by) return;
        words[value / 2 * apart] -= 1U << (16 * (value % 2));
        below -= value < level;
        add(by);
    }
    /// Walks to the level of the value of rank `index`.
    __device__ int settle(int index) {
        while (below > index) below -= of(--level);
        for (int here = of(level); below + here <= index; here = of(++level)) below += here;
        return level;
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
