// SPDX-License-Identifier: Apache-2.0
#include "gui/why/warp_chart.hpp"

#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kLanes = 32;
constexpr Length kEdge{16}, kLaneHeight{18}, kUnitHeight{22}, kLabel{17}, kLeastLines{14};
constexpr Length kWordsWidth{84};  // of "24 of 32 bytes"

}  // namespace

/// Where everything stands.
struct WarpChart::Places {
    double laneTop, laneWidth, unitTop, unitWidth, unitGap;
    QRectF lane(int i) const { return QRectF(kEdge + i * laneWidth, laneTop, laneWidth, kLaneHeight); }
    QRectF unit(std::size_t i) const {
        return QRectF(kEdge + static_cast<double>(i) * (unitWidth + unitGap), unitTop, unitWidth, kUnitHeight);
    }
};

WarpChart::WarpChart(QWidget* parent) : Plot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("One warp"));
}

QSize WarpChart::minimumSizeHint() const {
    return {320, static_cast<int>(kLabel + 4 + kLaneHeight + kLeastLines + kUnitHeight + kLabel +
                                  4)};  // the second label is for larger ones
}

void WarpChart::setRequest(const gpu::WarpRequest& request, const gpu::WarpSite& site, int owner) {
    m_request = request;
    m_site = site;
    m_owner = owner;
    m_units = touchedUnits(request, site);
    m_message.clear();
    QStringList parts;
    for (const TouchedUnit& unit : m_units) parts << textOf(unit);
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    update();
}

void WarpChart::setMessage(const QString& message) {
    m_request.reset();
    m_units.clear();
    m_message = message;
    setAccessibleDescription(message);
    update();
}

WarpChart::Places WarpChart::places() const {
    const double room = width() - 2 * kEdge;
    const auto count = static_cast<double>(
        unitKind(m_site) == UnitKind::banks ? std::size_t{kBanks} : std::max<std::size_t>(1, m_units.size()));
    const double gap = count <= 8 ? 8 : count <= 16 ? 4 : 2;
    const double wide = std::min(128.0, (room - gap * (count - 1)) / count);
    // Short of room the lines between give way, not the labels.
    return {kLabel + 4.0, room / kLanes,
            std::max(kLabel + 4.0 + kLaneHeight + kLeastLines, height() - kUnitHeight - 2.0 * kLabel - 4), wide, gap};
}

QString WarpChart::textOf(const TouchedUnit& unit) const {
    switch (unitKind(m_site)) {
        case UnitKind::sectors:
            return tr("sector %1: %2 of 32 bytes, %3 lanes").arg(unit.number).arg(unit.bytes).arg(unit.lanes.size());
        case UnitKind::banks:
            return tr("bank %1: %2 different words, %3 lanes").arg(unit.number).arg(unit.words).arg(unit.lanes.size());
        case UnitKind::words: return tr("address %1: %2 lanes").arg(unit.number).arg(unit.lanes.size());
    }
    return {};
}

void WarpChart::paintLanes(QPainter& painter, const Places& at) const {
    painter.setPen(colour(Role::text2));
    const auto active = m_request->count.lanes;
    const QString size = m_site.bytes == 1 ? tr("1 byte") : tr("%1 bytes").arg(m_site.bytes);
    painter.drawText(QRectF(kEdge, 0, width() - 2 * kEdge, kLabel), Qt::AlignLeft | Qt::AlignVCenter,
                     active == kLanes ? tr("32 lanes, %1 each").arg(size)
                                      : tr("%1 of 32 lanes active, %2 each").arg(active).arg(size));
    // As many of their numbers as stand apart.
    const QFont small = textFont(TextSize::caption);
    const double needed = QFontMetricsF(small).horizontalAdvance(QStringLiteral("88")) + Length(6);
    int every = 1;
    while (every < kLanes / 4 && every * at.laneWidth < needed) every *= 2;
    painter.setFont(small);
    for (int lane = 0; lane < kLanes; ++lane) {
        const QRectF box = at.lane(lane).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool on = m_request->mask >> lane & 1U;
        painter.fillRect(box, on ? colour(lane == m_owner ? Role::accentFill : Role::accent) : colour(Role::field));
        painter.setPen(QPen(colour(Role::line), 1));
        painter.drawRect(box);
        if (lane % every != 0 || at.laneWidth < needed - Length(6)) continue;
        painter.setPen(on ? (lane == m_owner ? colour(Role::onAccent) : colour(Role::field)) : colour(Role::text3));
        painter.drawText(box, Qt::AlignCenter, QString::number(lane));
    }
}

void WarpChart::paintUnits(QPainter& painter, const Places& at) const {
    const UnitKind kind = unitKind(m_site);
    const auto place = [&](const TouchedUnit& unit, std::size_t i) {
        return at.unit(kind == UnitKind::banks ? static_cast<std::size_t>(unit.number) : i);
    };
    const double unitBytes = kind == UnitKind::sectors ? kSectorBytes
                             : kind == UnitKind::banks ? kWordBytes
                                                       : m_site.bytes;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_units.size(); ++i) {
        const QRectF box = place(m_units[i], i);
        for (std::size_t k = 0; k < m_units[i].lanes.size(); ++k) {
            const auto [first, length] = m_units[i].pieces[k];
            const double x = box.left() + box.width() * (first + length / 2.0) / unitBytes;
            QColor ink = colour(Role::accent);
            ink.setAlpha(m_units[i].lanes[k] == m_owner ? 255 : 130);
            painter.setPen(QPen(ink, (m_units[i].lanes[k] == m_owner ? 2 : 1) * lineScale()));
            const QRectF lane = at.lane(m_units[i].lanes[k]);
            painter.drawLine(QPointF(lane.center().x(), lane.bottom()), QPointF(x, box.top()));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (kind == UnitKind::banks) {
        painter.setPen(QPen(colour(Role::line), 1));
        for (std::size_t bank = 0; bank < kBanks; ++bank)
            painter.drawRect(at.unit(bank).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    for (std::size_t i = 0; i < m_units.size(); ++i) {
        const TouchedUnit& unit = m_units[i];
        const QRectF box = place(unit, i);
        painter.fillRect(box, colour(Role::field));
        for (const auto& [first, length] : unit.pieces) {
            // Whole pixels: two lanes side by side leave no line between them.
            const double from = std::round(box.left() + box.width() * first / unitBytes);
            const double to = std::round(box.left() + box.width() * (first + length) / unitBytes);
            painter.fillRect(QRectF(from, box.top() + 2, to - from, box.height() - 4), colour(Role::accent));
        }
        const bool crowded = kind == UnitKind::banks ? unit.words > 1
                                                     : kind == UnitKind::words && unit.lanes.size() > 1 &&
                                                           m_site.operation == gpu::Operation::atomic;
        painter.setPen(QPen(colour(crowded ? Role::text1 : Role::text3), (crowded ? 2 : 1) * lineScale()));
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        const QRectF below(box.center().x() - Length(60), box.bottom() + 2, Length(120), kLabel),
            under = below.translated(0, kLabel - 2);
        if (kind == UnitKind::sectors && at.unitWidth >= kWordsWidth) {
            writeText(painter, below, Qt::AlignCenter, tr("%1 of 32 bytes").arg(unit.bytes),
                      unit.bytes < kSectorBytes ? Role::text1 : Role::text2,
                      unit.bytes < kSectorBytes ? boldFont(TextSize::caption) : textFont(TextSize::caption));
            writeText(painter, under, Qt::AlignCenter, tr("sector %1").arg(format::integer(unit.number)), Role::text3,
                      textFont(TextSize::caption));
        } else if (kind == UnitKind::sectors && at.unitWidth >= Length(15)) {
            writeText(painter, below, Qt::AlignCenter, QString::number(unit.bytes),
                      unit.bytes < kSectorBytes ? Role::text1 : Role::text2);
        } else if (crowded) {
            writeText(
                painter, below, Qt::AlignCenter,
                QStringLiteral("×%1").arg(kind == UnitKind::banks ? unit.words : static_cast<int>(unit.lanes.size())),
                Role::text1);
        }
    }
    painter.setPen(colour(Role::text3));
    const QRectF last(kEdge,
                      at.unitTop + kUnitHeight + 2 +
                          (at.unitWidth >= kWordsWidth && kind == UnitKind::sectors ? 2 : 1) * (kLabel - 2),
                      width() - 2 * kEdge, kLabel);
    if (kind == UnitKind::sectors && at.unitWidth < kWordsWidth && at.unitWidth >= Length(15))
        painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter, tr("bytes used of each sector of 32"));
    else if (kind == UnitKind::banks)
        painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter,
                         tr("32 banks of shared memory, 4 bytes wide; ×n: n-way bank conflict"));
    else if (kind == UnitKind::words)
        painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter,
                         m_site.operation == gpu::Operation::atomic ? tr("addresses; ×n: n lanes add to one")
                                                                    : tr("words of constant memory"));
}

void WarpChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(textFont(TextSize::caption));
    if (!m_request) {
        writeText(painter, QRectF(rect()).adjusted(kEdge, 0, -kEdge, 0), Qt::AlignCenter | Qt::TextWordWrap, m_message,
                  Role::text2, textFont(TextSize::body));
        return;
    }
    const Places at = places();
    paintUnits(painter, at);
    painter.setFont(textFont(TextSize::caption));
    paintLanes(painter, at);
}

void WarpChart::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: emit stepped(-1); return;
        case Qt::Key_Right: emit stepped(1); return;
        case Qt::Key_PageUp: emit stepped(-10); return;
        case Qt::Key_PageDown: emit stepped(10); return;
        default: QWidget::keyPressEvent(event);
    }
}

void WarpChart::wheelEvent(QWheelEvent* event) {
    if (const int notches = event->angleDelta().y() / 120; notches != 0) emit stepped(-notches);
    event->accept();
}

QString WarpChart::tipAt(QPoint place) const {
    if (!m_request) return {};
    const Places at = places();
    for (std::size_t i = 0; i < m_units.size(); ++i) {
        const bool bank = unitKind(m_site) == UnitKind::banks;
        if (at.unit(bank ? static_cast<std::size_t>(m_units[i].number) : i).contains(place)) return textOf(m_units[i]);
    }
    return {};
}

}  // namespace warplens::gui
