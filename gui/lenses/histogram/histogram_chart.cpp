// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/histogram_chart.hpp"

#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr int kHandleReach = 5;
constexpr int kPages = 16;  // Page Up and Down move by this share of all bins

}  // namespace

HistogramChart::HistogramChart(QWidget* parent) : QWidget(parent) {
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
    update();
}

void HistogramChart::setShown(const std::vector<bool>& channels) {
    m_shown = channels;
    m_shares = m_histogram ? cumulativeShares(*m_histogram, m_shown) : std::vector<double>();
    describe();
    update();
}

void HistogramChart::setSelection(const std::optional<ValueRange>& range) {
    if (std::exchange(m_selection, range) == range) return;
    describe();
    update();
}

void HistogramChart::setMarkedBins(const std::vector<int>& bins) {
    if (std::exchange(m_marked, bins) != bins) update();
}

void HistogramChart::setLogCounts(bool on) {
    m_logCounts = on;
    describe();
    update();
}

void HistogramChart::setLogValues(bool on) {
    m_logValues = on;
    describe();
    update();
}

void HistogramChart::setCumulative(bool on) {
    m_cumulative = on;
    update();
}

int HistogramChart::binAt(double x) const {
    if (!m_histogram || m_histogram->edges.size() < 2) return -1;
    const BinPicture drawn = picture();
    if (x < drawn.area.left() - 1 || x > drawn.area.right() + 1) return -1;
    const double value = drawn.across.value(std::clamp(x, drawn.area.left(), drawn.area.right()));
    const int bin = binOf(*m_histogram, value);
    return bin >= 0 ? bin : value < m_histogram->edges.front() ? 0 : binsOf(*m_histogram) - 1;
}

QPointF HistogramChart::pointOf(int bin) const {
    const BinPicture drawn = picture();
    const auto at = static_cast<std::size_t>(bin);
    return {(drawn.across.x(m_histogram->edges[at]) + drawn.across.x(m_histogram->edges[at + 1])) / 2,
            drawn.area.center().y()};
}

void HistogramChart::point(int bin) {
    if (std::exchange(m_pointed, bin) == bin) return;
    update();
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

QStringList HistogramChart::tooltipLines() const {
    if (!m_histogram || m_pointed < 0 || m_pointed >= binsOf(*m_histogram)) return {};
    QStringList lines;
    const auto bin = static_cast<std::size_t>(m_pointed);
    for (std::size_t c = 0; c < m_histogram->channels.size(); ++c) {
        if (c >= m_shown.size() || !m_shown[c]) continue;
        const QString count = format::integer(m_histogram->channels[c].bins[bin]);
        lines << (m_histogram->channels.size() == 1
                      ? tr("%1 pixels").arg(count)
                      : QStringLiteral("%1 %2").arg(QString::fromStdString(m_histogram->channels[c].name), count));
    }
    lines
        << tr("bin %1: %2").arg(format::integer(m_pointed), rangeText(rangeOfBins(*m_histogram, m_pointed, m_pointed)));
    if (m_cumulative && bin + 1 < m_shares.size()) lines << tr("%1 up to here").arg(format::percent(m_shares[bin + 1]));
    return lines;
}

void HistogramChart::describe() {
    if (!m_histogram) return setAccessibleDescription(m_message);
    QStringList parts;
    parts << tr("%1 bins, %2")
                 .arg(format::integer(binsOf(*m_histogram)),
                      rangeText({m_histogram->edges.front(), m_histogram->edges.back()}));
    for (std::size_t c = 0; c < m_histogram->channels.size(); ++c) {
        if (c >= m_shown.size() || !m_shown[c]) continue;
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
    parts << (m_logCounts ? tr("counts logarithmic") : tr("counts linear"))
          << (m_logValues ? tr("values logarithmic") : tr("values linear"));
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

void HistogramChart::mousePressEvent(QMouseEvent* event) {
    const int bin = binAt(event->position().x());
    if (event->button() != Qt::LeftButton || bin < 0) return event->ignore();
    m_dragging = true;
    m_anchor = bin;
    if (!m_selection) return;
    // Near an edge of the range the other edge is held.
    const BinPicture drawn = picture();
    const double x = event->position().x();
    if (std::abs(x - drawn.across.x(m_selection->low)) <= kHandleReach)
        m_anchor = std::max(0, binOf(*m_histogram, std::nextafter(m_selection->high, m_selection->low)));
    else if (std::abs(x - drawn.across.x(m_selection->high)) <= kHandleReach)
        m_anchor = std::max(0, binOf(*m_histogram, m_selection->low));
}

void HistogramChart::mouseMoveEvent(QMouseEvent* event) {
    const int bin = binAt(event->position().x());
    if (!m_dragging) {
        const BinPicture drawn = picture();
        const auto near = [&](double v) { return std::abs(event->position().x() - drawn.across.x(v)) <= kHandleReach; };
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
    int to = m_pointed;
    switch (event->key()) {
        case Qt::Key_Left: to -= 1; break;
        case Qt::Key_Right: to += 1; break;
        case Qt::Key_PageUp: to -= page; break;
        case Qt::Key_PageDown: to += page; break;
        case Qt::Key_Home: to = 0; break;
        case Qt::Key_End: to = bins - 1; break;
        case Qt::Key_Space:
            if (m_pointed < 0) return;
            m_anchor = m_pointed;
            return select(m_pointed, m_pointed);
        case Qt::Key_Delete:
        case Qt::Key_Backspace: return clearSelection();
        default: return QWidget::keyPressEvent(event);
    }
    const int from = m_pointed;
    point(std::clamp(to, 0, bins - 1));
    if (!event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_anchor.reset();
        return;
    }
    if (!m_anchor) m_anchor = std::max(0, from);
    select(*m_anchor, m_pointed);
}

}  // namespace warplens::gui
