// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/model/occupancy.hpp"

#include <cstdint>

namespace warplens::gpu {

/// Shared memory that a launch asks for beside the kernel's own: the least of which the problem does not refuse the
/// block. The device runs a block of these tunables.
std::int64_t dynamicSharedBytes(const Problem& problem, const Variant& variant, const TunableValues& tunables,
                                const DeviceInfo& device);

/// What a block takes with other tunables than those of a launch that was reported: its registers and the kernel's own
/// shared memory, and threads and dynamic shared memory of the new block.
BlockNeeds needsWith(const BlockNeeds& reported, const TunableValues& of, const TunableValues& tunables,
                     const Problem& problem, const Variant& variant, const DeviceInfo& device);

}  // namespace warplens::gpu
