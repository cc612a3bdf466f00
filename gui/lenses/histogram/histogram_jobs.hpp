// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gpu/families/histogram/contention.hpp"
#include "gpu/families/histogram/selection.hpp"
#include "gpu/families/histogram/statistics.hpp"
#include "gpu/run/runner.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/picture/bins.hpp"
#include "io/grid.hpp"

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// What a histogram is made of: a picture and the values of the family's parameters.
struct HistogramInput {
    std::shared_ptr<const io::Grid> picture;
    gpu::ParameterValues values;
    bool operator==(const HistogramInput&) const = default;
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
    bool ranked = false;  ///< median, percentiles and infinities are known
};

/// What is known of the values selected.
struct SelectedFigures {
    std::vector<ChannelStatistics> channels;
    QString by;  ///< what computed them, and where
    gpu::histogram::Selection selection;
    std::shared_ptr<const io::Grid> luminance;  ///< of every pixel, one row; null unless it is what is counted
};

/// Least and greatest finite value of all channels but alpha.
ValueRange extremesOf(const SelectedFigures& figures);

/// Works out the figures of what is selected, step by step, each of which leaves some to be shown. Throws gpu::Error.
class FigureWork {
public:
    explicit FigureWork(const HistogramInput& input);
    /// Extremes, mean and deviation by the family that measures statistics for others, on `device`; not checked yet.
    /// Whether there are any: not where it refuses the picture, or values are infinite, which are no part of ours.
    bool serve(gpu::Runner& runner, const gpu::DeviceInfo& device, const std::stop_token& stop);
    /// The same by a request of that service, whichever variant it names.
    bool serve(gpu::Runner& runner, const gpu::Request& request, const std::stop_token& stop);
    /// The values that are selected, as one row.
    const std::shared_ptr<const io::Grid>& values() const { return m_values; }
    /// Median and percentiles, and all else that was not served, on the CPU.
    void count(const std::stop_token& stop);
    /// Checks what was served; what is wrong gives way to figures of the CPU.
    void check(gpu::Runner& runner, const std::stop_token& stop);
    const SelectedFigures& figures() const { return m_figures; }

private:
    struct Served {
        gpu::Request request;
        gpu::RunRecord record;
        QString by;
        std::vector<gpu::histogram::Statistics> channels;
    };
    void say(const QString& check);

    SelectedFigures m_figures;
    std::shared_ptr<const io::Grid> m_values;
    std::optional<Served> m_served;
    QString m_refusal;                                  ///< why nothing was served
    std::vector<gpu::histogram::Statistics> m_counted;  ///< on the CPU
    double m_countMs = 0;
};

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
