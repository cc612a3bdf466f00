// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/histogram_chart.hpp"

#include "gpu/render/colour_table.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace warplens::gui {

namespace {

constexpr int kHandleReach = 5;
constexpr int kPages = 16;  // Page Up and Down move by this share of all bins

constexpr int kLanes = 32;

}  // namespace

HistogramChart::HistogramChart(QWidget* parent) : PlotView(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Chart of counts"));
}

void HistogramChart::setHistogram(std::shared_ptr<const gpu::BinnedCounts> histogram, bool outdated) {
    if (histogram == m_histogram && outdated == m_outdated) return;
    const bool other = histogram != m_histogram;
    m_histogram = std::move(histogram);
    m_outdated = outdated;
    if (other) {
        m_marked.clear();
        point(-1);
    }
    setShown(m_shown);
}

void HistogramChart::setMessage(const QString& message) {
    m_message = message;
    refresh();
}

void HistogramChart::setShown(const std::vector<bool>& channels) {
    m_shown = channels;
    m_shares = m_histogram ? cumulativeShares(*m_histogram, m_shown) : std::vector<double>();
    refresh();
}

void HistogramChart::setSelection(const std::optional<ValueRange>& range) {
    if (std::exchange(m_selection, range) != range) refresh();
}

void HistogramChart::setMarkedBins(const std::vector<int>& bins) {
    if (std::exchange(m_marked, bins) != bins) refresh();
}

void HistogramChart::setLogCounts(bool on) {
    m_scales.logCounts = on;
    refresh();
}

void HistogramChart::setLogValues(bool on) {
    m_scales.logValues = on;
    refresh();
}

void HistogramChart::setCumulative(bool on) {
    m_cumulative = on;
    refresh();
}

void HistogramChart::refresh() {
    PlotData plot;
    if (m_histogram && m_histogram->edges.size() > 1) {
        plot = binsPlot(*m_histogram, m_shown, m_scales, m_selection);
        plot.right = m_cumulative ? Length(56) : Length(20);
        plot.y.grid = true;
        plot.x.title =
            m_scales.logValues ? tr("stored value, logarithm of bins from the left edge") : tr("stored value");
        if (m_selection) {
            plot.marks.insert(plot.marks.begin(), BandMark{.from = m_selection->low, .to = m_selection->high});
            plot.marks.emplace_back(BandMark{
                .from = m_selection->low, .to = m_selection->high, .ink = QColor(Qt::transparent), .handles = true});
            plot.x.strong = {m_selection->low, m_selection->high};
        }
        if (m_cumulative) addShares(plot);
        addMarked(plot);
        plot.choices.spoken = [this](int bin) { return textOf(bin); };
        plot.pointer = Pointer::callout;
        plot.faded = m_outdated;
    }
    plot.top = Length(14);
    plot.ground = true;
    plot.empty = m_message;
    plot.spoken = description();
    setPlot(std::move(plot));
}

void HistogramChart::addShares(PlotData& plot) const {
    if (m_shares.size() != m_histogram->edges.size()) return;
    plot.second = PlotAxis{.low = 0, .high = 1, .ticks = {0, 0.5, 1}, .text = format::percent};
    LineMark line{.halo = true, .second = true};
    for (std::size_t i = 0; i < m_shares.size(); ++i) line.at << QPointF(m_histogram->edges[i], m_shares[i]);
    plot.marks.emplace_back(std::move(line));
}

/// The pixel under the cursor and the bin pointed at in text 1, which no data has; of several channels a line each.
void HistogramChart::addMarked(PlotData& plot) const {
    const auto& [edges, channels] = *m_histogram;
    const auto bar = [&](int bin, std::int64_t count) {
        const auto at = static_cast<std::size_t>(bin);
        return BarMark{.bars = {{edges[at], edges[at + 1], 0, static_cast<double>(count)}}, .ink = Role::text1};
    };
    for (std::size_t c = 0; c < m_marked.size() && c < channels.size(); ++c) {
        if (m_marked[c] < 0 || !shows(c)) continue;
        const auto at = static_cast<std::size_t>(m_marked[c]);
        if (channels.size() == 1)
            plot.marks.emplace_back(bar(m_marked[c], channels[c].bins[at]));
        else
            plot.marks.emplace_back(
                RuleMark{.at = (edges[at] + edges[at + 1]) / 2, .ink = channelRole(channels[c].name)});
    }
    if (chosen() < 0 || chosen() >= binsOf(*m_histogram)) return;
    plot.marks.emplace_back(bar(chosen(), std::llround(plot.choices.at[chosen()].y())));
}

int HistogramChart::binAt(double x) const {
    const PlotPlaces at = places();
    if (plot().isEmpty() || x < at.area.left() - 1 || x > at.area.right() + 1) return -1;
    const double value = at.x.value(std::clamp(x, at.area.left(), at.area.right()));
    const int bin = binOf(*m_histogram, value);
    return bin >= 0 ? bin : value < m_histogram->edges.front() ? 0 : binsOf(*m_histogram) - 1;
}

QPointF HistogramChart::pointOf(int bin) const {
    const PlotPlaces at = places();
    const auto i = static_cast<std::size_t>(bin);
    return {(at.x.pixel(m_histogram->edges[i]) + at.x.pixel(m_histogram->edges[i + 1])) / 2, at.area.center().y()};
}

void HistogramChart::point(int bin) {
    if (bin == chosen()) return;
    setChosen(bin);
    refresh();
    emit pointedChanged();
}

void HistogramChart::select(int first, int last) {
    const ValueRange range = rangeOfBins(*m_histogram, first, last);
    if (m_selection == range) return;
    setSelection(range);
    emit selectionEdited();
}

void HistogramChart::clearSelection() {
    m_anchor.reset();
    if (!m_selection) return;
    setSelection(std::nullopt);
    emit selectionEdited();
}

QString HistogramChart::textOf(int pointed) const {
    if (!m_histogram || pointed >= binsOf(*m_histogram)) return {};
    QStringList lines;
    const auto bin = static_cast<std::size_t>(pointed);
    for (std::size_t c = 0; c < m_histogram->channels.size(); ++c) {
        if (!shows(c)) continue;
        const QString count = format::integer(m_histogram->channels[c].bins[bin]);
        lines << (m_histogram->channels.size() == 1
                      ? tr("%1 pixels").arg(count)
                      : QStringLiteral("%1 %2").arg(QString::fromStdString(m_histogram->channels[c].name), count));
    }
    lines << tr("bin %1: %2").arg(format::integer(pointed), rangeText(rangeOfBins(*m_histogram, pointed, pointed)));
    if (m_cumulative && bin + 1 < m_shares.size()) lines << tr("%1 up to here").arg(format::percent(m_shares[bin + 1]));
    return lines.join(u'\n');
}

QString HistogramChart::description() const {
    if (!m_histogram) return m_message;
    QStringList parts;
    parts << tr("%1 bins, %2")
                 .arg(format::integer(binsOf(*m_histogram)),
                      rangeText({m_histogram->edges.front(), m_histogram->edges.back()}));
    for (std::size_t c = 0; c < m_histogram->channels.size(); ++c) {
        if (!shows(c)) continue;
        const gpu::CountedChannel& channel = m_histogram->channels[c];
        const auto highest = std::ranges::max_element(channel.bins);
        if (highest == channel.bins.end()) continue;
        QString text = tr("%1: most in bin %2, %3")
                           .arg(QString::fromStdString(channel.name), format::integer(highest - channel.bins.begin()),
                                format::integer(*highest));
        if (m_selection) text += tr(", selected %1").arg(format::integer(countIn(*m_histogram, c, *m_selection)));
        parts << text;
    }
    if (m_selection) parts << tr("selected %1").arg(rangeText(*m_selection));
    parts << (m_scales.logCounts ? tr("counts logarithmic") : tr("counts linear"))
          << (m_scales.logValues ? tr("values logarithmic") : tr("values linear"));
    return parts.join(QStringLiteral("; "));
}

void HistogramChart::mousePressEvent(QMouseEvent* event) {
    const int bin = binAt(event->position().x());
    if (event->button() != Qt::LeftButton || bin < 0) return event->ignore();
    m_dragging = true;
    m_anchor = bin;
    if (!m_selection) return;
    // Near an edge of the range the other edge is held.
    const Scale across = places().x;
    const double x = event->position().x();
    if (std::abs(x - across.pixel(m_selection->low)) <= kHandleReach)
        m_anchor = std::max(0, binOf(*m_histogram, std::nextafter(m_selection->high, m_selection->low)));
    else if (std::abs(x - across.pixel(m_selection->high)) <= kHandleReach)
        m_anchor = std::max(0, binOf(*m_histogram, m_selection->low));
}

void HistogramChart::mouseMoveEvent(QMouseEvent* event) {
    const int bin = binAt(event->position().x());
    if (!m_dragging) {
        const Scale across = places().x;
        const auto near = [&](double v) { return std::abs(event->position().x() - across.pixel(v)) <= kHandleReach; };
        setCursor(m_selection && (near(m_selection->low) || near(m_selection->high)) ? Qt::SplitHCursor
                                                                                     : Qt::ArrowCursor);
    }
    if (bin < 0) return point(-1);
    point(bin);
    if (m_dragging && m_anchor) select(*m_anchor, bin);
}

void HistogramChart::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_dragging) return;
    m_dragging = false;
    const int bin = binAt(event->position().x());
    // A click selects one bin; on the one that is selected alone it clears.
    if (m_anchor && bin == *m_anchor) {
        if (m_selection == rangeOfBins(*m_histogram, bin, bin)) return clearSelection();
        select(bin, bin);
    }
}

void HistogramChart::leaveEvent(QEvent*) {
    if (!m_dragging && !hasFocus()) point(-1);
}

void HistogramChart::keyPressEvent(QKeyEvent* event) {
    const int bins = m_histogram ? binsOf(*m_histogram) : 0;
    if (bins == 0) return QWidget::keyPressEvent(event);
    const int page = std::max(1, bins / kPages);
    int to = pointed();
    switch (event->key()) {
        case Qt::Key_Left: to -= 1; break;
        case Qt::Key_Right: to += 1; break;
        case Qt::Key_PageUp: to -= page; break;
        case Qt::Key_PageDown: to += page; break;
        case Qt::Key_Home: to = 0; break;
        case Qt::Key_End: to = bins - 1; break;
        case Qt::Key_Space:
            if (pointed() < 0) return;
            m_anchor = pointed();
            return select(pointed(), pointed());
        case Qt::Key_Delete:
        case Qt::Key_Backspace: return clearSelection();
        default: return QWidget::keyPressEvent(event);
    }
    const int from = pointed();
    point(std::clamp(to, 0, bins - 1));
    if (!event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_anchor.reset();
        return;
    }
    if (!m_anchor) m_anchor = std::max(0, from);
    select(*m_anchor, pointed());
}

LanesChart::LanesChart(QWidget* parent) : PlotView(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Chart of lanes that meet"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void LanesChart::setRequests(const std::array<std::int64_t, 33>& requests) {
    PlotData plot{.speaks = true, .axesWhenEmpty = true, .foot = true, .pointer = Pointer::band};
    plot.left = plot.right = Length(4);
    plot.top = Length(18);
    plot.x = {.low = 0.5,
              .high = kLanes + 0.5,
              .title = tr("most lanes of a warp in one bin"),
              .ticks = {1, 8, 16, 24, kLanes},
              .text = wholeNumber};
    plot.y = {
        .low = 0,
        .high = static_cast<double>(std::max<std::int64_t>(1, *std::max_element(requests.begin() + 1, requests.end()))),
        .bare = true};
    const auto& colours = gpu::render::coloursOf(gpu::render::ColourTable::cividis);
    const std::int64_t all = std::accumulate(requests.begin() + 1, requests.end(), std::int64_t{0});
    const auto textOf = [requests, all](int lanes) {
        const std::int64_t count = requests[static_cast<std::size_t>(lanes)];
        return tr("%1 lanes: %2 requests, %3")
            .arg(lanes)
            .arg(format::integer(count),
                 format::percent(all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0));
    };
    QStringList spoken;
    for (int n = 1; n <= kLanes; ++n) {
        const auto count = static_cast<double>(requests[static_cast<std::size_t>(n)]);
        plot.choices.at << QPointF(n, count);
        if (count <= 0) continue;
        spoken << textOf(n);
        // The ends of the colour table are too near to one dock or the other: an
        // outline.
        const QColor ink = QColor::fromRgb(colours[static_cast<std::size_t>((n - 1) * 255 / (kLanes - 1))]);
        plot.marks.emplace_back(BarMark{.bars = {{n - 0.5, n + 0.5, 0, count}}, .ink = ink, .outline = Role::bars});
    }
    plot.choices.by = PlotChoices::By::column;
    plot.choices.spoken = [textOf](int i) { return textOf(i + 1); };
    plot.spoken = spoken.join(QStringLiteral("; "));
    setPlot(std::move(plot));
}

}  // namespace warplens::gui
