// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/arguments.hpp"

namespace warplens::gpu::sparse {

/// So many vectors of so many values, one behind the other: a channel each.
struct Span {
    std::int64_t values = 0;
    int channels = 1;
};

/// What solvers do beside A x. Handles of floats; `sums` of doubles, `factors`
/// of floats, one a channel. Sums are added to what is there.
struct SolvingEntry {
    /// r = b - r, where r was A u; adds up the squares of r.
    void (*residual)(LaunchContext&, const Span&, std::uint64_t b, std::uint64_t r, std::uint64_t sums) = nullptr;
    /// u += weight (b - q) / neighbours, where q is A u; adds up the squares of b
    /// - q.
    void (*relax)(LaunchContext&, const Rule&, const Span&, std::uint64_t b, std::uint64_t q, std::uint64_t u,
                  float weight, std::uint64_t sums) = nullptr;
    void (*dot)(LaunchContext&, const Span&, std::uint64_t a, std::uint64_t b, std::uint64_t sums) = nullptr;
    /// u += factor p, r -= factor q; adds up the squares of r.
    void (*advance)(LaunchContext&, const Span&, std::uint64_t factors, std::uint64_t p, std::uint64_t q,
                    std::uint64_t u, std::uint64_t r, std::uint64_t sums) = nullptr;
    /// p = z + factor p.
    void (*direct)(LaunchContext&, const Span&, std::uint64_t factors, std::uint64_t z, std::uint64_t p) = nullptr;
};

/// One grid of a multigrid cycle: the picture, told by its mask, or a coarser
/// one, told by its weights.
struct CycleGrid {
    int width = 0, height = 0, depth = 1, channels = 1;
    std::uint64_t inside = 0;   ///< of the picture, or 0
    std::uint64_t weights = 0;  ///< of a coarser grid: four floats a cell: itself,
                                ///< to the right, below, behind

    std::int64_t cells() const { return std::int64_t{width} * height * depth; }
};

/// What a cycle does on its grids; u and b hold every cell, zeros where there
/// is none.
struct CyclingEntry {
    /// The weights of a grid of half the extents. `held`: what becomes of the
    /// hold of known neighbours.
    void (*coarsen)(LaunchContext&, const CycleGrid& fine, const CycleGrid& coarse, float held) = nullptr;
    /// to = u + weight (b - A u) / diagonal; u of 0: a vector of zeros.
    void (*relax)(LaunchContext&, const CycleGrid&, std::uint64_t b, std::uint64_t u, std::uint64_t to,
                  float weight) = nullptr;
    /// to = the residuals b - A u of a cell's parts; u of 0: b is the residual
    /// itself.
    void (*restricted)(LaunchContext&, const CycleGrid& fine, std::uint64_t b, std::uint64_t u, const CycleGrid& coarse,
                       std::uint64_t to) = nullptr;
    /// u += what is interpolated between the coarse cells.
    void (*prolong)(LaunchContext&, const CycleGrid& coarse, std::uint64_t from, const CycleGrid& fine,
                    std::uint64_t u) = nullptr;
};

/// As built for a device.
const SolvingEntry& solving(const DeviceInfo& device);
const CyclingEntry& cycling(const DeviceInfo& device);

}  // namespace warplens::gpu::sparse
