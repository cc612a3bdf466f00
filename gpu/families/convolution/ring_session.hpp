// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/problem.hpp"
#include "gpu/run/slabs.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::convolution {

/// Bytes on the device for slabs of `slices` output slices with a halo at each end, two of them at a time each way.
std::int64_t ringBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo);

/// Slabs that overlap within so many bytes of each of the devices, as many at least as there are of these. Throws
/// Error(outOfMemory).
SlabPlan planRing(const ConvolutionProblem& problem, std::int64_t budget, const std::string& where,
                  std::int64_t devices = 1);

/// A session that sends a volume over its devices by the plan, a stretch of slabs over each, the transfers of a slab
/// beside the kernels of others. The problem must outlive it. Throws Error.
std::unique_ptr<Session> openRingSession(const ConvolutionProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, const SlabPlan& plan);

}  // namespace warplens::gpu::convolution
