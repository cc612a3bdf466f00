// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/problem.hpp"
#include "gpu/run/slab_session.hpp"
#include "gpu/run/slabs.hpp"

#include <memory>
#include <vector>

namespace warplens::gpu::convolution {

/// How a problem's slices go over and come back.
SlabFormat formatOf(const ConvolutionProblem& problem);

/// A session that sends slab after slab over the devices, at once (SlabSession). The result is the in-core one, bit by
/// bit: a slab's kernel meets the very values that the whole volume would give it.
std::unique_ptr<Session> openSlabSession(const ConvolutionProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, const SlabPlan& plan);

/// The same of a volume by a plan of its own.
std::unique_ptr<Session> openSlabSession(const ConvolutionProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident);

}  // namespace warplens::gpu::convolution
