// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/bins.hpp"

#include "gui/kit/paint.hpp"

#include <QKeyEvent>
#include <algorithm>
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

}  // namespace warplens::gui
