// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/runner.hpp"
#include "gui/session/difference_model.hpp"

namespace warplens::gui {

/// The figures of a comparison's table; nothing where values are not finite, which count otherwise there.
std::optional<ServedDifference> servedDifference(const gpu::RunRecord& record);

/// By the family that compares pictures for others, on `device`, unchecked: the difference itself comes right behind.
/// Nothing where times on the device rank nothing, as the CPU is faster there, and where the family refuses.
std::optional<ServedDifference> serveDifference(gpu::Runner& runner, const std::optional<gpu::DeviceInfo>& device,
                                                const DifferenceModel::Pictures& pictures, const std::stop_token& stop);

/// What is asked for that.
gpu::Request differenceRequest(const DifferenceModel::Pictures& pictures, const gpu::DeviceInfo& device);

}  // namespace warplens::gui
