// SPDX-License-Identifier: Apache-2.0
// Before Qt, whose keyword macros would rewrite the name `slots` in it.
#include "gui/lenses/histogram/histogram_jobs.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/histogram/contention_map.hpp"
#include "gpu/families/histogram/histogram.hpp"
#include "gpu/families/histogram/table.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace histogram = gpu::histogram;

bool MarkRule::marks(const io::Grid& picture, std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (!selection.contains(x, y, z)) return false;
    if (luminance != nullptr)
        return range.contains(luminance->value(picture.shape().width * (z * picture.shape().height + y) + x, 0));
    for (std::size_t c = 0; c < channels.size(); ++c)
        if (channels[c] && range.contains(picture.value(x, y, z, static_cast<int>(c)))) return true;
    return false;
}

std::int64_t countMarked(const io::Grid& picture, const MarkRule& rule, const std::stop_token& stop) {
    const histogram::Box& box = rule.selection.box;
    std::int64_t count = 0;
    for (auto z = box.z; z < box.z + box.depth; ++z)
        for (auto y = box.y; y < box.y + box.height; ++y) {
            if (stop.stop_requested()) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
            for (auto x = box.x; x < box.x + box.width; ++x) count += rule.marks(picture, x, y, z) ? 1 : 0;
        }
    return count;
}

ValueRange extremesOf(const SelectedFigures& figures) {
    ValueRange range;
    bool first = true;
    for (const ChannelStatistics& channel : figures.channels) {
        if (channel.channel == "alpha" || channel.figures.finite == 0) continue;
        range = first ? ValueRange{channel.figures.minimum, channel.figures.maximum}
                      : ValueRange{std::min(range.low, channel.figures.minimum),
                                   std::max(range.high, channel.figures.maximum)};
        first = false;
    }
    return range;
}

SelectedFigures selectedFigures(const HistogramInput& input, const std::stop_token& stop) {
    SelectedFigures figures;
    figures.selection = histogram::selectionOf(*input.picture, input.values);
    const auto values = histogram::selectedValues(input.picture, figures.selection);
    int channel = 0;
    for (std::string& name : histogram::channelNames(input.picture->shape(), figures.selection))
        figures.channels.push_back({std::move(name), histogram::statisticsOf(*values, channel++, stop)});
    if (figures.selection.luminance) {
        const auto& shape = input.picture->shape();
        figures.luminance = histogram::selectedValues(
            input.picture,
            {.box = {0, 0, 0, shape.width, shape.height, shape.depth}, .mask = nullptr, .luminance = true});
    }
    return figures;
}

LaneMap countLanes(const HistogramInput& input, const std::string& variant, std::size_t channel,
                   const gpu::DeviceInfo& device, const std::stop_token& stop) {
    const histogram::HistogramProblem problem(input.picture, input.values);
    const auto& names = problem.channelNames();
    channel = std::min(channel, names.size() - 1);
    LaneMap lanes;
    lanes.variant = variant;
    lanes.channel = names[channel];
    const auto [row, chosen] = gpu::askedRun(histogram::family(), variant);
    const gpu::TunableValues tunables = gpu::resolve(*row, chosen);
    lanes.reason = problem.refusal(*row, tunables, device);
    if (!lanes.reason.empty()) return lanes;
    auto counted =
        histogram::contentionMap(problem, *input.picture, *row, tunables, device, static_cast<int>(channel), stop);
    lanes.counted = std::move(counted.counted);
    lanes.map = std::make_shared<const io::Grid>(std::move(counted.map));
    return lanes;
}

}  // namespace warplens::gui
