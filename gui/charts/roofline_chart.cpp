// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/roofline_chart.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/glyphs.hpp"
#include "gui/theme/metrics.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kFrom = 0.125, kTo = 64;  // operations a byte
constexpr double kDecades = 3;             // of TFLOP/s
constexpr Length kMark{14};

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Roofline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize RooflineChart::sizeHint() const {
    return {400, 280};
}

QSize RooflineChart::minimumSizeHint() const {
    return {240, 160};
}

QString RooflineChart::textOf(const Point& point) {
    const QString intensity = tr("%1: %2 operations a byte (counted)").arg(point.name, format::significant(point.operationsPerByte));
    return point.tflops > 0 ? tr("%1, %2 TFLOP/s (modelled: counted operations over the time)").arg(intensity, format::significant(point.tflops))
                            : tr("%1, no time of a GPU").arg(intensity);
}

void RooflineChart::setPoints(std::vector<Point> points, const std::optional<gpu::WhyCeilings>& ceilings) {
    m_points = std::move(points);
    m_ceilings = ceilings;
    m_top = ceilings ? ceilings->limits.fmaTflops * 2 : 100;
    QStringList spoken;
    for (const Point& point : m_points) spoken << textOf(point);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

QRectF RooflineChart::area() const {
    return QRectF(rect()).adjusted(Length(44), Length(20), -Length(12), -Length(40));
}

QPointF RooflineChart::place(double operationsPerByte, double tflops) const {
    const QRectF box = area();
    const double x = std::log2(std::clamp(operationsPerByte, kFrom, kTo) / kFrom) / std::log2(kTo / kFrom);
    const double y = tflops > 0 ? std::clamp(1 + std::log10(tflops / m_top) / kDecades, 0.0, 1.0) : 0;
    return {box.left() + x * box.width(), box.bottom() - y * box.height()};
}

void RooflineChart::paintGrid(QPainter& painter) const {
    const QRectF box = area();
    painter.setFont(textFont(TextSize::caption));
    for (double at = kFrom; at <= kTo; at *= 2) {
        const double x = place(at, 0).x();
        painter.setPen(QPen(colour(Role::hairline), 1));
        painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        if (box.width() < 320 && std::fmod(std::log2(at / kFrom), 2) != 0) continue;
        painter.setPen(colour(Role::text3));
        painter.drawText(QRectF(x - Length(30), box.bottom() + 2, Length(60), Length(16)), Qt::AlignCenter, at < 1 ? QString::number(at) : format::integer(std::llround(at)));
    }
    for (double at = std::pow(10, std::ceil(std::log10(m_top) - kDecades)); at <= m_top; at *= 10) {
        const double y = place(kFrom, at).y();
        painter.setPen(QPen(colour(Role::hairline), 1));
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        painter.setPen(colour(Role::text3));
        painter.drawText(QRectF(0, y - Length(8), box.left() - Length(6), Length(16)), Qt::AlignRight | Qt::AlignVCenter, QString::number(at));
    }
    painter.setPen(colour(Role::text2));
    painter.drawText(QRectF(box.left(), box.bottom() + Length(20), box.width(), Length(16)), Qt::AlignCenter, tr("operations a byte that threads load"));
    painter.drawText(QRectF(4, 2, Length(120), Length(16)), Qt::AlignLeft | Qt::AlignVCenter, tr("TFLOP/s"));
}

void RooflineChart::paintCeilings(QPainter& painter) const {
    const QRectF box = area();
    const double fma = m_ceilings->limits.fmaTflops, copy = m_ceilings->limits.copyGbs / 1000;  // TFLOP/s for one operation a byte
    const double corner = fma / copy;
    painter.setPen(QPen(colour(Role::text1), 1.5 * lineScale()));
    painter.save();
    painter.setClipRect(box);
    painter.drawLine(place(corner, fma), place(kTo, fma));
    painter.drawLine(place(kFrom, copy * kFrom), place(corner, fma));
    painter.restore();
    painter.drawText(QRectF(box.left(), place(kTo, fma).y() - Length(18), box.width(), Length(16)), Qt::AlignRight | Qt::AlignVCenter,
                     tr("FMA %1 TFLOP/s").arg(format::significant(fma)));
    // Near the lower end, where few kernels stand.
    const QPointF middle = place(0.15, copy * 0.15);
    painter.save();
    painter.translate(middle);
    const QPointF along = place(0.3, copy * 0.3) - middle;
    painter.rotate(std::atan2(along.y(), along.x()) * 180 / M_PI);
    painter.drawText(QRectF(-Length(10), 2, Length(160), Length(16)), Qt::AlignLeft | Qt::AlignVCenter, tr("copy %1 GB/s").arg(format::integer(std::llround(m_ceilings->limits.copyGbs))));
    painter.restore();
}

void RooflineChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGrid(painter);
    if (m_ceilings) paintCeilings(painter);
    for (const Point& point : m_points) {
        const QPointF at = place(point.operationsPerByte, point.tflops);
        drawShape(painter, QRectF(at - QPointF(kMark / 2, kMark / 2), QSizeF(kMark, kMark)), point.idea);
        if (!point.current) continue;
        painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, kMark * 0.8, kMark * 0.8);
        painter.setFont(boldFont(TextSize::caption));
        painter.setPen(colour(Role::text1));
        const bool left = at.x() > width() * 0.6;
        painter.drawText(QRectF(left ? at.x() - Length(176) : at.x() + Length(16), at.y() - Length(8), Length(160), Length(16)), (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, point.name);
    }
}

bool RooflineChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* const help = static_cast<QHelpEvent*>(event);
        QStringList near;
        for (const Point& point : m_points) {
            const QPointF away = place(point.operationsPerByte, point.tflops) - help->pos();
            if (std::hypot(away.x(), away.y()) < kMark) near << textOf(point);
        }
        QToolTip::showText(help->globalPos(), near.join(u'\n'), this);
        return true;
    }
    if (event->type() == QEvent::PaletteChange) update();
    return QWidget::event(event);
}

}  // namespace warplens::gui
