// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/stencil/problem.hpp"
#include "gpu/run/slabs.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::stencil {

/// How an iteration goes over a device slab by slab: every sweep over the volume takes up to `steps` steps. A slab is a
/// volume of its own with a halo of that many slices; what its ends get wrong spreads by a slice a step and stays in
/// the halo. Of a picture the slices are rows.
struct IterationPlan {
    SlabPlan slabs;
    std::int64_t steps = 0;  ///< that a sweep takes at most
    std::int64_t sweeps = 1;

    /// "6 slabs of 171 slices, halo 4, 980 MB on the device, 13 sweeps of up to 4 steps"
    std::string sentence() const;
};

/// Along which a problem is cut: 2, slices of a volume, or 1, rows of a picture.
int axisOf(const Extent& extent);
/// How many slices or rows there are, and the same extent with `lines` of them.
std::int64_t linesOf(const Extent& extent);
Extent withLines(Extent extent, std::int64_t lines);

/// Bytes on the device for a slab of `slices` slices in all, those of the halo included: fields, start and what the
/// change of layout takes.
std::int64_t slabBytes(const StencilProblem& problem, std::int64_t slices);

/// The same for the whole problem without slabs.
std::int64_t inCoreBytes(const StencilProblem& problem);

/// The plan that sends the fewest slices to and fro within `budget` bytes. Throws Error(outOfMemory).
IterationPlan planIteration(const StencilProblem& problem, std::int64_t budget, const std::string& where);

/// A session that works by the plan (SlabSession). The problem must outlive it.
std::unique_ptr<Session> openSlabSession(const StencilProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, const IterationPlan& plan);

/// The same by a plan of its own; null when the whole problem fits the memory that may be used. Throws
/// Error(outOfMemory).
std::unique_ptr<Session> openSlabSessionIfNeeded(const StencilProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::stencil
