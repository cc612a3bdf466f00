// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplens::gpu {

/// What slabs took, in milliseconds.
struct SlabTimes {
    double upload = 0, deinterleave = 0, kernels = 0, interleave = 0, download = 0;

    void add(const SlabTimes& other);
};

/// What the engines took together, and how much of it lay beside each other. Milliseconds.
struct SlabOverlap {
    SlabTimes sums{};
    double totalMs = 0;  ///< by the host's clock

    void add(const SlabOverlap& other);
    /// What another device took at the same time: the longer of each.
    void join(const SlabOverlap& other);
    /// Of the engine that limits.
    double busiestMs() const;
    /// "overlapped: 92.1 ms in all, its busiest engine (upload) 78 ms, 14.1 ms exposed"
    std::string sentence() const;
};

}  // namespace warplens::gpu
