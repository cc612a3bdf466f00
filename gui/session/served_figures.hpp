// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/runner.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/session/difference_model.hpp"

#include <memory>
#include <optional>
#include <stop_token>

namespace warplens::gui {

/// What is asked for a range: how many values are none, and the quantiles of the others.
struct StatisticsRequests {
    gpu::Request statistics, quantiles;

    StatisticsRequests(const std::shared_ptr<const io::Grid>& picture, const gpu::DeviceInfo& device);
    /// Unchecked, as the range is only looked through. Nothing where there are infinities, which count as values there,
    /// or nothing but NaN. Throws as serve() does.
    std::optional<PictureStatistics> served(gpu::Runner& runner, const std::stop_token& stop = {}) const;
};

/// By the families that measure and sort for others, on `device`. Nothing where times on the device rank nothing, as
/// the CPU is faster there; of several channels, whose values count together; and where a family refuses.
std::optional<PictureStatistics> serveStatistics(gpu::Runner& runner, const std::optional<gpu::DeviceInfo>& device,
                                                 const std::shared_ptr<const io::Grid>& picture,
                                                 const std::stop_token& stop);

/// The figures of a comparison's table; nothing where values are not finite, which count otherwise there.
std::optional<ServedDifference> servedDifference(const gpu::RunRecord& record);

/// By the family that compares pictures for others, on `device`, unchecked: the difference itself comes right behind.
/// Nothing where times on the device rank nothing, as the CPU is faster there, and where the family refuses.
std::optional<ServedDifference> serveDifference(gpu::Runner& runner, const std::optional<gpu::DeviceInfo>& device,
                                                const DifferenceModel::Pictures& pictures, const std::stop_token& stop);

/// What is asked for that.
gpu::Request differenceRequest(const DifferenceModel::Pictures& pictures, const gpu::DeviceInfo& device);

}  // namespace warplens::gui
