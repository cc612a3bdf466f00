// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/bins.hpp"

#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kLineWidth = 1.6;
constexpr double kRoom = 1.06;  // above the highest bin

LineMark outlineOf(const gpu::BinnedCounts& histogram, const gpu::CountedChannel& channel) {
    LineMark line{.name = QString::fromStdString(channel.name), .width = kLineWidth, .stepped = true, .peaks = true};
    line.ink = channelRole(channel.name);
    line.fill = line.ink;
    if (const QPen pen = channelPen(channel.name); pen.style() != Qt::SolidLine) line.dashes = pen.dashPattern();
    line.at << QPointF(histogram.edges.front(), 0);
    for (std::size_t i = 0; i < channel.bins.size(); ++i)
        line.at << QPointF(histogram.edges[i], static_cast<double>(channel.bins[i]));
    line.at << QPointF(histogram.edges.back(), static_cast<double>(channel.bins.empty() ? 0 : channel.bins.back()))
            << QPointF(histogram.edges.back(), 0);
    return line;
}

}  // namespace

Role channelRole(const std::string& name) {
    if (name == "red") return Role::channelRed;
    if (name == "green") return Role::channelGreen;
    if (name == "blue") return Role::channelBlue;
    return Role::bars;
}

QPen channelPen(const std::string& name) {
    QPen pen(colour(channelRole(name)), kLineWidth, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    if (name == "green") pen.setDashPattern({5, 2});
    if (name == "blue") pen.setDashPattern({1.5, 1.5});
    if (name == "alpha") pen.setDashPattern({6, 2, 1.5, 2});
    return pen;
}

PlotData binsPlot(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown, BinScales scales,
                  const std::optional<ValueRange>& selection) {
    const auto& [edges, channels] = histogram;
    const double highest = kRoom * static_cast<double>(std::max<std::int64_t>(1, highestCount(histogram, shown)));
    PlotData plot{.foot = true};
    plot.x = {.kind = scales.logValues ? ScaleKind::symlog : ScaleKind::linear,
              .low = edges.front(),
              .high = edges.back(),
              .unit = edges[1] - edges[0]};
    plot.y = {.kind = scales.logCounts ? ScaleKind::logarithmic : ScaleKind::linear,
              .low = scales.logCounts ? 1.0 : 0.0,
              .high = scales.logCounts ? std::max(10.0, kRoom * highest) : highest,
              .apart = 34,
              .whole = true};
    std::vector<double> tops(edges.size() - 1);
    for (std::size_t c = 0; c < channels.size(); ++c) {
        if (c >= shown.size() || !shown[c]) continue;
        BarMark plain{.name = QString::fromStdString(channels[c].name)}, chosen = plain;
        chosen.ink = Role::accent;
        for (std::size_t i = 0; i < tops.size(); ++i) {
            const auto count = static_cast<double>(channels[c].bins[i]);
            tops[i] = std::max(tops[i], count);
            (selection && selection->contains(edges[i]) ? chosen : plain)
                .bars.push_back({edges[i], edges[i + 1], 0, count});
        }
        if (channels.size() > 1) {
            plot.marks.emplace_back(outlineOf(histogram, channels[c]));
            continue;
        }
        plot.marks.emplace_back(std::move(plain));
        plot.marks.emplace_back(std::move(chosen));
    }
    for (std::size_t i = 0; i < tops.size(); ++i) plot.choices.at << QPointF((edges[i] + edges[i + 1]) / 2, tops[i]);
    plot.choices.by = PlotChoices::By::column;
    return plot;
}

void BinsView::setHistogram(std::shared_ptr<const gpu::BinnedCounts> histogram) {
    if (histogram == m_histogram) return;
    m_histogram = std::move(histogram);
    m_plot = {};
    if (m_histogram && m_histogram->edges.size() > 1) {
        const std::vector<bool> all(m_histogram->channels.size(), true);
        const auto& edges = m_histogram->edges;
        m_plot = binsPlot(*m_histogram, all, {.logCounts = true, .logValues = false}, std::nullopt);
        m_plot.head = tr("up to %1 a bin, logarithmic").arg(format::integer(highestCount(*m_histogram, all)));
        m_plot.left = m_plot.right = kDockMargin;
        m_plot.y.bare = true;
        m_plot.x.ticks = {edges.front(), edges.back()};
        setAccessibleDescription(
            tr("%1 bins, %2").arg(format::integer(binsOf(*m_histogram)), rangeText({edges.front(), edges.back()})));
    }
    m_plot.ground = true;
    update();
}

void BinsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPlot(painter, rect(), m_plot, -1);
}

void BinsView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return emit activated();
    QWidget::keyPressEvent(event);
}

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
