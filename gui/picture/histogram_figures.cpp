// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/histogram_figures.hpp"

#include "gui/kit/theme/format.hpp"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace warplens::gui {

int binsOf(const gpu::BinnedCounts& histogram) { return std::max(0, static_cast<int>(histogram.edges.size()) - 1); }

int binOf(const gpu::BinnedCounts& histogram, double value) {
    const auto& edges = histogram.edges;
    if (edges.empty() || std::isnan(value) || value < edges.front() || value >= edges.back()) return -1;
    return static_cast<int>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin()) - 1;
}

ValueRange rangeOfBins(const gpu::BinnedCounts& histogram, int first, int last) {
    const int most = binsOf(histogram) - 1;
    const auto low = static_cast<std::size_t>(std::clamp(std::min(first, last), 0, most));
    const auto high = static_cast<std::size_t>(std::clamp(std::max(first, last), 0, most));
    return {histogram.edges[low], histogram.edges[high + 1]};
}

std::int64_t countIn(const gpu::BinnedCounts& histogram, std::size_t channel, const ValueRange& range) {
    const auto& edges = histogram.edges;
    const auto& bins = histogram.channels.at(channel).bins;
    const auto first = std::lower_bound(edges.begin(), edges.end(), range.low) - edges.begin();
    const auto last = std::upper_bound(edges.begin(), edges.end(), range.high) - edges.begin() - 1;
    if (last <= first) return 0;
    return std::accumulate(bins.begin() + first, bins.begin() + last, std::int64_t{0});
}

std::int64_t elementsOf(const gpu::CountedChannel& channel) {
    return std::accumulate(channel.bins.begin(), channel.bins.end(), channel.below + channel.above + channel.nan);
}

std::vector<double> cumulativeShares(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown) {
    std::int64_t total = 0, below = 0;
    for (std::size_t c = 0; c < histogram.channels.size(); ++c) {
        if (c >= shown.size() || !shown[c]) continue;
        total += elementsOf(histogram.channels[c]) - histogram.channels[c].nan;
        below += histogram.channels[c].below;
    }
    if (total == 0) return {};
    std::vector<double> shares{static_cast<double>(below) / static_cast<double>(total)};
    for (std::size_t bin = 0; bin + 1 < histogram.edges.size(); ++bin) {
        for (std::size_t c = 0; c < histogram.channels.size(); ++c)
            if (c < shown.size() && shown[c]) below += histogram.channels[c].bins[bin];
        shares.push_back(static_cast<double>(below) / static_cast<double>(total));
    }
    return shares;
}

std::int64_t highestCount(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown) {
    std::int64_t highest = 0;
    for (std::size_t c = 0; c < histogram.channels.size(); ++c)
        if (c < shown.size() && shown[c])
            for (const std::int64_t n : histogram.channels[c].bins) highest = std::max(highest, n);
    return highest;
}

QString rangeText(const ValueRange& range) {
    return QStringLiteral("%1 ≤ v < %2").arg(format::value(range.low), format::value(range.high));
}

QString countsTable(const gpu::BinnedCounts& histogram) {
    const auto exact = [](double v) { return QString::number(v, 'g', QLocale::FloatingPointShortest); };
    QStringList head{QStringLiteral("from"), QStringLiteral("to")}, lines;
    for (const gpu::CountedChannel& channel : histogram.channels) head << QString::fromStdString(channel.name);
    lines << head.join('\t');
    for (std::size_t bin = 0; bin + 1 < histogram.edges.size(); ++bin) {
        QStringList row{exact(histogram.edges[bin]), exact(histogram.edges[bin + 1])};
        for (const gpu::CountedChannel& channel : histogram.channels)
            row << QString::number(static_cast<qlonglong>(channel.bins[bin]));
        lines << row.join('\t');
    }
    const auto rest = [&](const char* name, auto member) {
        QStringList row{QString::fromUtf8(name), QString()};
        for (const gpu::CountedChannel& channel : histogram.channels)
            row << QString::number(static_cast<qlonglong>(channel.*member));
        lines << row.join('\t');
    };
    rest("below", &gpu::CountedChannel::below);
    rest("above", &gpu::CountedChannel::above);
    rest("not a number", &gpu::CountedChannel::nan);
    return lines.join('\n') + '\n';
}

}  // namespace warplens::gui
