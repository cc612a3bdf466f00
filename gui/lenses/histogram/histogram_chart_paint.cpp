// SPDX-License-Identifier: Apache-2.0
// The part of HistogramChart that draws.
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/lenses/histogram/histogram_chart.hpp"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kTop{14}, kBottom{44}, kRightPlain{20}, kRightShares{56};
constexpr Length kTickApart{64}, kCountApart{34};
constexpr Length kTickHeight{20};

double ticksWidth(const CountScale& up) {
    const QFontMetricsF metrics(textFont(TextSize::caption));
    double widest = metrics.horizontalAdvance(QStringLiteral("100"));
    for (const double tick : up.ticks(kCountApart))
        widest = std::max(widest, metrics.horizontalAdvance(format::value(tick)));
    return widest;
}

}  // namespace

BinPicture HistogramChart::picture() const {
    BinPicture drawn;
    if (!m_histogram || m_histogram->edges.size() < 2) return drawn;
    drawn.histogram = m_histogram.get();
    drawn.shown = m_shown;
    drawn.selection = m_selection;
    const double bottom = height() - kBottom;
    drawn.up = CountScale(highestCount(*m_histogram, m_shown), m_logCounts, bottom, kTop);
    const double left = kDockMargin + ticksWidth(drawn.up) + kGap;
    const double right = width() - (m_cumulative ? kRightShares : kRightPlain);
    drawn.area = QRectF(QPointF(left, kTop), QPointF(right, bottom));
    const auto& edges = m_histogram->edges;
    drawn.across = ValueScale(edges.front(), edges.back(), edges[1] - edges[0], m_logValues, left, right);
    return drawn;
}

void HistogramChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    painter.setFont(textFont(TextSize::caption));
    const BinPicture drawn = picture();
    if (drawn.histogram == nullptr || drawn.area.width() < 10 || drawn.area.height() < 10) {
        writeText(painter, rect(), Qt::AlignCenter | Qt::TextWordWrap, m_message, Role::text2);
        return;
    }
    paintSelection(painter, drawn);
    paintAxes(painter, drawn);
    if (m_outdated) painter.setOpacity(0.45);
    paintBins(painter, drawn);
    if (m_cumulative) paintCumulative(painter, drawn);
    painter.setOpacity(1);
    paintHandles(painter, drawn);
    paintPointed(painter, drawn);
}

void HistogramChart::paintAxes(QPainter& painter, const BinPicture& drawn) const {
    const QRectF& area = drawn.area;
    for (const double tick : drawn.up.ticks(kCountApart)) {
        const double y = std::round(drawn.up.y(tick));
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), colour(Role::hairline));
        writeText(painter, QRectF(0, y - Length(10), area.left() - kGap, Length(20)), Qt::AlignRight | Qt::AlignVCenter,
                  format::value(tick), Role::text2);
    }
    painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), colour(Role::text3));

    const QFontMetricsF metrics(painter.font());
    const auto boxOf = [&](double value, const QFontMetricsF& with) {
        const double w = with.horizontalAdvance(format::value(value));
        const double x = std::clamp(drawn.across.x(value) - w / 2, 2.0, std::max(2.0, width() - w - 2));
        return QRectF(x, area.bottom() + 3, w, kTickHeight);
    };
    std::vector<QRectF> taken;
    if (m_selection) {
        painter.setPen(colour(Role::accent));
        painter.setFont(boldFont(TextSize::caption));
        QRectF low = boxOf(m_selection->low, QFontMetricsF(painter.font()));
        QRectF high = boxOf(m_selection->high, QFontMetricsF(painter.font()));
        if (const double overlap = low.right() + kGap - high.left(); overlap > 0) {
            low.translate(-overlap / 2, 0);
            high.translate(overlap / 2, 0);
        }
        painter.drawText(low, Qt::AlignCenter | Qt::TextDontClip, format::value(m_selection->low));
        painter.drawText(high, Qt::AlignCenter | Qt::TextDontClip, format::value(m_selection->high));
        taken = {low, high};
        painter.setFont(textFont(TextSize::caption));
    }
    painter.setPen(colour(Role::text2));
    for (const double tick : drawn.across.ticks(kTickApart)) {
        const QRectF box = boxOf(tick, metrics);
        const QRectF room = box.adjusted(-kGap, 0, kGap, 0);
        if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(room); })) continue;
        taken.push_back(box);
        painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, format::value(tick));
    }
    painter.drawText(QRectF(area.left(), area.bottom() + kTickHeight + 2, area.width(), Length(18)), Qt::AlignCenter,
                     m_logValues ? tr("stored value, logarithm of bins from the left edge") : tr("stored value"));
}

void HistogramChart::paintSelection(QPainter& painter, const BinPicture& drawn) const {
    if (!m_selection) return;
    const double left = drawn.across.x(m_selection->low), right = drawn.across.x(m_selection->high);
    painter.fillRect(QRectF(left, drawn.area.top(), right - left, drawn.area.height()), colour(Role::selection));
}

void HistogramChart::paintHandles(QPainter& painter, const BinPicture& drawn) const {
    if (!m_selection) return;
    for (const double value : {m_selection->low, m_selection->high}) {
        const double x = std::round(drawn.across.x(value));
        painter.fillRect(QRectF(x - 1, drawn.area.top() - 4, 2, drawn.area.height() + 8), colour(Role::accent));
        painter.fillRect(QRectF(x - 4, drawn.area.top() - 10, 8, 12), colour(Role::accent));
    }
}

void HistogramChart::paintCumulative(QPainter& painter, const BinPicture& drawn) const {
    if (m_shares.size() != m_histogram->edges.size()) return;
    const QRectF& area = drawn.area;
    painter.setPen(colour(Role::text2));
    const QFontMetricsF metrics(painter.font());
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = area.bottom() - share * area.height();
        painter.drawText(QRectF(area.right() + Length(8), y - Length(10), kRightShares, Length(20)),
                         Qt::AlignLeft | Qt::AlignVCenter, format::percent(share));
    }
    QPolygonF line;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const QPointF at(drawn.across.x(m_histogram->edges[i]), area.bottom() - m_shares[i] * area.height());
        // One point a pixel is enough, but for the ends.
        if (line.isEmpty() || at.x() - line.last().x() >= 0.75 || i + 1 == m_shares.size()) line << at;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour(Role::dock), 5 * lineScale(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    painter.setPen(QPen(colour(Role::text1), 2.4 * lineScale(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void HistogramChart::paintPointed(QPainter& painter, const BinPicture& drawn) const {
    const auto columnOf = [&](int bin) {
        const double left = drawn.across.x(m_histogram->edges[static_cast<std::size_t>(bin)]);
        const double right = drawn.across.x(m_histogram->edges[static_cast<std::size_t>(bin) + 1]);
        const double w = std::max(2.0, right - left - (right - left >= 3 ? 1 : 0));
        return QRectF(left, drawn.area.top(), w, drawn.area.height());
    };
    const auto topOf = [&](std::size_t channel, int bin) {
        const auto count = m_histogram->channels[channel].bins[static_cast<std::size_t>(bin)];
        return std::min(drawn.up.y(static_cast<double>(count)), drawn.area.bottom() - 1);
    };
    // The pixel under the cursor: its bin in text 1, which no data has, one a channel.
    for (std::size_t c = 0; c < m_marked.size() && c < m_histogram->channels.size(); ++c) {
        if (m_marked[c] < 0 || c >= m_shown.size() || !m_shown[c]) continue;
        QRectF column = columnOf(m_marked[c]);
        column.setTop(m_histogram->channels.size() == 1 ? topOf(c, m_marked[c]) : drawn.area.top());
        if (m_histogram->channels.size() == 1) {
            painter.fillRect(column, colour(Role::text1));
        } else {
            painter.setPen(channelPen(m_histogram->channels[c].name));
            painter.drawLine(QPointF(column.center().x(), column.top()), QPointF(column.center().x(), column.bottom()));
        }
        painter.fillRect(QRectF(column.center().x() - 3, drawn.area.bottom() + 1, 6, 4), colour(Role::text1));
    }
    const QStringList lines = tooltipLines();
    if (lines.isEmpty()) return;
    const QRectF column = columnOf(m_pointed);
    double top = drawn.area.bottom();
    for (std::size_t c = 0; c < m_histogram->channels.size(); ++c)
        if (c < m_shown.size() && m_shown[c]) top = std::min(top, topOf(c, m_pointed));
    painter.fillRect(QRectF(column.left(), top, column.width(), drawn.area.bottom() - top), colour(Role::text1));

    const QFontMetricsF metrics(boldFont(TextSize::caption));
    double w = 0;
    for (const QString& line : lines) w = std::max(w, metrics.horizontalAdvance(line));
    const double lineHeight = Length(17);
    QRectF box(0, drawn.area.top() + 4, w + 24, lineHeight * static_cast<double>(lines.size()) + 10);
    const bool left = column.left() - 24 - box.width() > drawn.area.left();
    box.moveLeft(left ? column.left() - 24 - box.width() : std::min(column.right() + 24, width() - box.width() - 4.0));
    painter.setPen(QPen(colour(Role::text2), 1));
    painter.drawLine(QPointF(left ? box.right() : box.left(), box.center().y()),
                     QPointF(column.center().x(), box.center().y()));
    painter.drawLine(QPointF(column.center().x(), box.center().y()), QPointF(column.center().x(), top));
    painter.setPen(QPen(colour(Role::line), 1));
    painter.setBrush(colour(Role::field));
    painter.drawRoundedRect(box, 2, 2);
    painter.setPen(colour(Role::text1));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        painter.setFont(i == 0 ? boldFont(TextSize::caption) : textFont(TextSize::caption));
        painter.drawText(
            QRectF(box.left(), box.top() + 5 + lineHeight * static_cast<double>(i), box.width(), lineHeight),
            Qt::AlignCenter, lines[i]);
    }
}

}  // namespace warplens::gui
