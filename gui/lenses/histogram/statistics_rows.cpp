// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/statistics_rows.hpp"

#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <functional>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Statistics", text); }

}  // namespace

std::vector<StatisticsRow> statisticsRows(const std::vector<ChannelStatistics>& channels,
                                          const gpu::BinnedCounts* counts) {
    using gpu::histogram::Statistics;
    std::vector<StatisticsRow> rows;
    const auto add = [&](const QString& name, const std::function<QString(const Statistics&)>& text) {
        StatisticsRow row{name, {}};
        for (const ChannelStatistics& channel : channels) row.values << text(channel.figures);
        rows.push_back(std::move(row));
    };
    // Without a finite value there is no least one.
    const auto finite = [](double Statistics::*member) {
        return [member](const Statistics& s) { return s.finite > 0 ? format::value(s.*member) : QStringLiteral("–"); };
    };
    const bool ranked = std::ranges::all_of(channels, &ChannelStatistics::ranked);
    const auto whenRanked = [ranked](double value, const Statistics& s) {
        return !ranked ? QStringLiteral("…") : s.finite > 0 ? format::value(value) : QStringLiteral("–");
    };
    const auto percentile = [whenRanked](std::size_t i) {
        return [i, whenRanked](const Statistics& s) { return whenRanked(s.percentiles[i], s); };
    };
    using Text = std::function<QString(const Statistics&)>;
    const bool pairs = channels.size() == 1;
    const auto addTwo = [&](const QString& first, const Text& a, const QString& second, const Text& b) {
        if (!pairs) {
            add(first, a);
            return add(second, b);
        }
        add(first + QStringLiteral(", ") + second,
            [&](const Statistics& s) { return a(s) + QStringLiteral(";  ") + b(s); });
    };
    add(tr("pixels"), [](const Statistics& s) { return format::integer(s.count); });
    addTwo(tr("minimum"), finite(&Statistics::minimum), tr("maximum"), finite(&Statistics::maximum));
    add(tr("mean"), finite(&Statistics::mean));
    add(tr("standard deviation"), finite(&Statistics::deviation));
    add(tr("median"), [whenRanked](const Statistics& s) { return whenRanked(s.median, s); });
    addTwo(tr("5 %"), percentile(0), tr("95 %"), percentile(3));
    addTwo(tr("25 %"), percentile(1), tr("75 %"), percentile(2));
    bool infinite = false;
    for (const ChannelStatistics& c : channels)
        infinite = infinite || c.figures.positiveInfinity > 0 || c.figures.negativeInfinity > 0;
    add(tr("not a number"), [](const Statistics& s) { return format::integer(s.nan); });
    if (infinite)
        addTwo(
            tr("minus infinity"), [](const Statistics& s) { return format::integer(s.negativeInfinity); },
            tr("infinity"), [](const Statistics& s) { return format::integer(s.positiveInfinity); });
    if (counts != nullptr && counts->channels.size() == channels.size()) {
        StatisticsRow row{tr("below, above the bins"), {}};
        for (const gpu::CountedChannel& channel : counts->channels)
            row.values << format::integer(channel.below) + QStringLiteral(";  ") + format::integer(channel.above);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace warplens::gui
