// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gpu/families/histogram/contention.hpp"
#include "gpu/families/histogram/selection.hpp"
#include "gpu/families/histogram/statistics.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/picture/histogram_figures.hpp"
#include "io/grid.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gui {

/// What a histogram is made of: a picture and the values of the family's parameters.
struct HistogramInput {
    std::shared_ptr<const io::Grid> picture;
    gpu::ParameterValues values;
};

/// Which pixels are marked: those selected with a value of a marked channel in the range.
struct MarkRule {
    ValueRange range;
    std::vector<bool> channels;  ///< a flag a channel counted
    gpu::histogram::Selection selection;
    std::shared_ptr<const io::Grid> luminance;  ///< of every pixel, one row; null: the channels are looked at

    /// No range check of the position.
    bool marks(const io::Grid& picture, std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// Pixels that a rule marks. Throws gpu::Error(cancelled).
std::int64_t countMarked(const io::Grid& picture, const MarkRule& rule, const std::stop_token& stop = {});

/// Figures of one channel, by its name.
struct ChannelStatistics {
    std::string channel;
    gpu::histogram::Statistics figures;
};

/// What is known of the values selected.
struct SelectedFigures {
    std::vector<ChannelStatistics> channels;
    gpu::histogram::Selection selection;
    std::shared_ptr<const io::Grid> luminance;  ///< of every pixel, one row; null unless it is what is counted
};

/// Least and greatest finite value of all channels but alpha.
ValueRange extremesOf(const SelectedFigures& figures);

/// Work for a JobRunner. Throws gpu::Error.
SelectedFigures selectedFigures(const HistogramInput& input, const std::stop_token& stop);

/// How the lanes of a variant's warps meet, over the picture.
struct LaneMap {
    std::string variant, channel;
    std::string reason;  ///< why there is nothing to count; then the rest is empty
    gpu::histogram::Contention counted;
    std::shared_ptr<const io::Grid> map;  ///< lanes that meet in each pixel's cell; NaN where nothing is selected
};

/// Work for a JobRunner: enumerates every warp request of a kernel on one channel, as launched on `device`. Throws
/// gpu::Error.
LaneMap countLanes(const HistogramInput& input, const std::string& variant, std::size_t channel,
                   const gpu::DeviceInfo& device, const std::stop_token& stop);

}  // namespace warplens::gui
