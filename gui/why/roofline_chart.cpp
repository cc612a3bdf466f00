// SPDX-License-Identifier: Apache-2.0
#include "gui/why/roofline_chart.hpp"

#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kFrom = 0.125;  // operations a byte
constexpr double kDecades = 3;   // of TFLOP/s
constexpr double kMark = 14;
constexpr double kBelow = 8;                 // px between the axis and its numbers
constexpr double kSample = 16, kKeyGap = 6;  // px; of the row of the slopes' names
constexpr double kLow = 150;  // px; a plot that is lower names the chosen variants and those with room beside them

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : Plot(parent) {
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Roofline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QString RooflineChart::textOf(const Point& point) {
    const QString intensity =
        tr("%1: %2 operations per byte (counted)").arg(point.name, format::significant(point.operationsPerByte));
    if (point.tflops <= 0) return tr("%1, no time of a GPU").arg(intensity);
    const QString rate = tr("%1, %2 TFLOP/s (modelled: counted operations over the time")
                             .arg(intensity, format::significant(point.tflops));
    return point.from.isEmpty() ? rate + u')' : tr("%1 recorded: %2)").arg(rate, point.from);
}

void RooflineChart::setPoints(std::vector<Point> points, const std::optional<gpu::WhyCeilings>& ceilings) {
    m_points = std::move(points);
    m_ceilings = ceilings;
    m_top = ceilings ? ceilings->limits.fmaTflops * 2 : 100;
    m_to = 64;
    // Products on tensor cores lie to the right of and above what the FMA units reach.
    for (const Point& point : m_points) {
        if (point.tflops <= 0) continue;
        m_top = std::max(m_top, point.tflops * 1.5);
        while (m_to < point.operationsPerByte) m_to *= 2;
    }
    QStringList spoken;
    for (const Point& point : m_points) spoken << textOf(point);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

QString RooflineChart::untimed() const {
    QStringList names;
    for (const Point& point : m_points)
        if (point.tflops <= 0) names << point.name;
    return names.isEmpty() ? QString() : tr("without a time: %1").arg(names.join(QStringLiteral(", ")));
}

bool RooflineChart::isLow() const { return area().height() < kLow * typeScale(); }

QRectF RooflineChart::area() const {
    return QRectF(rect()).adjusted(44 * typeScale(), 28 * typeScale(), -24 * typeScale(), -46 * typeScale());
}

QPointF RooflineChart::place(double operationsPerByte, double tflops) const {
    const QRectF box = area();
    const double x = std::log2(std::clamp(operationsPerByte, kFrom, m_to) / kFrom) / std::log2(m_to / kFrom);
    const double y = tflops > 0 ? std::clamp(1 + std::log10(tflops / m_top) / kDecades, 0.0, 1.0) : 0;
    return {box.left() + x * box.width(), box.bottom() - y * box.height()};
}

void RooflineChart::paintGrid(QPainter& painter) const {
    const QRectF box = area();
    painter.setFont(textFont(TextSize::caption));
    const double high = QFontMetricsF(painter.font()).height() + 2;
    const double apart = box.width() / std::log2(m_to / kFrom);
    for (double at = kFrom; at <= m_to; at *= 2) {
        const double x = place(at, 0).x();
        painter.setPen(QPen(colour(Role::hairline), 1));
        painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        if (apart < 36 * typeScale() && std::fmod(std::log2(at / kFrom), 2) != 0) continue;
        painter.setPen(colour(Role::text3));
        const QString text = at < 1 ? QString::number(at) : format::integer(std::llround(at));
        const double wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 2;
        // The last one must not leave the chart.
        painter.drawText(
            QRectF(std::min(x - wide / 2, width() - wide - 4), box.bottom() + kBelow * typeScale(), wide, high),
            Qt::AlignCenter, text);
    }
    for (double at = std::pow(10, std::ceil(std::log10(m_top) - kDecades)); at <= m_top; at *= 10) {
        const double y = place(kFrom, at).y();
        painter.setPen(QPen(colour(Role::hairline), 1));
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        writeText(painter, QRectF(0, y - high / 2, box.left() - 6, high), Qt::AlignRight | Qt::AlignVCenter,
                  QString::number(at), Role::text3);
    }
    const QRectF foot(box.left() - 20, box.bottom() + kBelow * typeScale() + high, box.width() + 30, high);
    QString words = tr("operations per byte loaded");
    if (const QString lacking = untimed(); !lacking.isEmpty()) words += QStringLiteral("; ") + lacking;
    writeText(painter, foot, Qt::AlignCenter,
              QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, foot.width()), Role::text2);
    // The level of the arithmetic says the unit as well, where the row is the slopes'.
    const QString unit = tr("TFLOP/s");
    const double row = width() - 3 * kDockMargin - QFontMetricsF(painter.font()).horizontalAdvance(unit);
    if (!m_ceilings || !isLow() || keysWidth() <= row)
        painter.drawText(QRectF(kDockMargin, 1, 200, high), Qt::AlignLeft | Qt::AlignVCenter, unit);
}

std::vector<QRectF> RooflineChart::paintCeilings(QPainter& painter) const {
    const QRectF box = area();
    const gpu::Limits& limits = m_ceilings->limits;
    const double fma = limits.fmaTflops;
    const bool low = isLow();
    std::vector<QRectF> taken;
    painter.setFont(textFont(TextSize::caption));
    const double high = QFontMetricsF(painter.font()).height();
    /// A slope of so many bytes a second, up to the arithmetic; its name stands along it from `from` operations a byte
    /// on, or, where marks would cover it, above the plot.
    const auto slope = [&](double gbs, Qt::PenStyle style, const QString& name, double from) {
        const double perByte = gbs / 1000;  // TFLOP/s for one operation a byte
        painter.setPen(QPen(colour(Role::text1), 1.5 * lineScale(), style));
        painter.save();
        painter.setClipRect(box);
        const double first = std::max(kFrom, m_top * std::pow(10, -kDecades) / perByte);
        painter.drawLine(place(first, perByte * first), place(fma / perByte, fma));
        painter.restore();
        if (low) return;
        from =
            nameFrom(perByte, std::max(from, first * 1.2), QFontMetricsF(painter.font()).horizontalAdvance(name), high);
        const QPointF start = place(from, perByte * from), along = place(from * 2, perByte * from * 2) - start;
        const double length = std::hypot(along.x(), along.y()),
                     wide = QFontMetricsF(painter.font()).horizontalAdvance(name);
        if (!(length > 0)) return;
        painter.save();
        painter.translate(start);
        painter.rotate(std::atan2(along.y(), along.x()) * 180 / M_PI);
        painter.drawText(QRectF(0, 3, wide + 4, high), Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.restore();
        const QPointF forward = along / length, below(-forward.y(), forward.x());
        for (double at = 0; at <= wide; at += high / 2) {
            const QPointF middle = start + forward * at + below * (3 + high / 2);
            taken.emplace_back(middle - QPointF(high, high) / 2, QSizeF(high, high));
        }
    };
    slope(limits.copyGbs, Qt::SolidLine, tr("copy %1 GB/s").arg(format::integer(std::llround(limits.copyGbs))), 0.25);
    if (limits.sharedGbs > 0)
        slope(limits.sharedGbs, Qt::DashLine, tr("shared %1 GB/s").arg(format::integer(std::llround(limits.sharedGbs))),
              kFrom);
    painter.setPen(QPen(colour(Role::text1), 1.5 * lineScale()));
    const double corner = fma * 1000 / std::max(limits.copyGbs, limits.sharedGbs);
    painter.drawLine(place(std::max(corner, kFrom), fma), place(m_to, fma));
    // A name on the level would hide it.
    taken.emplace_back(QPointF(place(corner, fma).x(), place(m_to, fma).y() - 1),
                       QSizeF(box.right() - place(corner, fma).x(), 2));
    if (low) {
        paintKeys(painter);
        taken.emplace_back(0, 0, width(), high + 3);
        painter.setPen(colour(Role::text1));
    }
    const QString name = tr("FMA %1 TFLOP/s").arg(format::significant(fma));
    const double wide = QFontMetricsF(painter.font()).horizontalAdvance(name) + 4;
    taken.emplace_back(box.right() - wide, place(m_to, fma).y() - high - 2, wide, high);
    painter.drawText(taken.back(), Qt::AlignRight | Qt::AlignVCenter, name);
    return taken;
}

std::vector<RooflineChart::Key> RooflineChart::keys() const {
    const gpu::Limits& limits = m_ceilings->limits;
    const auto number = [](double gbs) { return format::integer(std::llround(gbs)); };
    if (!(limits.sharedGbs > 0)) return {{Qt::SolidLine, tr("copy %1 GB/s").arg(number(limits.copyGbs))}};
    return {{Qt::SolidLine, tr("copy %1").arg(number(limits.copyGbs))},
            {Qt::DashLine, tr("shared %1 GB/s").arg(number(limits.sharedGbs))}};
}

double RooflineChart::keysWidth() const {
    double wide = -2 * kKeyGap * typeScale();
    for (const Key& key : keys())
        wide += (kSample + 3 * kKeyGap) * typeScale() +
                QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(key.name) + 2;
    return wide;
}

void RooflineChart::paintKeys(QPainter& painter) const {
    const QFontMetricsF metrics(painter.font());
    const double sample = kSample * typeScale(), gap = kKeyGap * typeScale(), high = metrics.height() + 2;
    double left = width() - kDockMargin - keysWidth();
    for (const Key& key : keys()) {
        painter.setPen(QPen(colour(Role::text1), 1.5 * lineScale(), key.style));
        painter.drawLine(QPointF(left, 1 + high / 2), QPointF(left + sample, 1 + high / 2));
        left += sample + gap;
        const double wide = metrics.horizontalAdvance(key.name) + 2;
        writeText(painter, QRectF(left, 1, wide, high), Qt::AlignLeft | Qt::AlignVCenter, key.name, Role::text1);
        left += wide + 2 * gap;
    }
}

double RooflineChart::nameFrom(double perByte, double first, double wide, double high) const {
    const double fma = m_ceilings->limits.fmaTflops, mark = kMark * typeScale();
    double best = first;
    std::ptrdiff_t fewest = std::ssize(m_points) + 1;
    for (double from = first; perByte * from < fma; from *= std::sqrt(2.0)) {
        const QPointF start = place(from, perByte * from), along = place(from * 2, perByte * from * 2) - start;
        const double length = std::hypot(along.x(), along.y());
        if (!(length > 0)) break;
        const QPointF forward = along / length, below(-forward.y(), forward.x());
        // Past the corner the name would stand on the level of the arithmetic.
        if ((start + forward * wide).y() < place(from, fma).y()) break;
        const auto hit = std::ranges::count_if(m_points, [&](const Point& point) {
            if (point.tflops <= 0) return false;
            const QPointF away = place(point.operationsPerByte, point.tflops) - start;
            const double on = QPointF::dotProduct(away, forward), off = QPointF::dotProduct(away, below);
            return on > -mark / 2 && on < wide + mark / 2 && off > 3 - mark / 2 && off < 3 + high + mark / 2;
        });
        if (hit >= fewest) continue;
        fewest = hit;
        best = from;
    }
    return best;
}

void RooflineChart::paintNames(QPainter& painter, const std::vector<QRectF>& taken) const {
    const auto fontOf = [](const Point& point) {
        return point.current ? boldFont(TextSize::caption) : textFont(TextSize::caption);
    };
    // The current variant's name has the first choice, then that of the one it is compared with.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < m_points.size(); ++i)
        if (m_points[i].tflops > 0) order.push_back(i);
    std::ranges::stable_sort(order, [this](std::size_t a, std::size_t b) {
        return 2 * m_points[a].current + m_points[a].against > 2 * m_points[b].current + m_points[b].against;
    });
    const bool low = isLow();
    std::vector<LabelledPoint> asked;
    for (const std::size_t i : order) {
        const QFontMetricsF metrics(fontOf(m_points[i]));
        asked.push_back({place(m_points[i].operationsPerByte, m_points[i].tflops),
                         {metrics.horizontalAdvance(m_points[i].name) + 4, metrics.height()},
                         0,
                         !low || m_points[i].current || m_points[i].against});
    }
    const auto& found =
        m_places.of(asked, kMark * typeScale(),
                    QRectF(rect()).adjusted(area().left(), 0, -kGap, -(height() - area().bottom())), taken);
    m_names.assign(m_points.size(), std::nullopt);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Point& point = m_points[order[k]];
        if (!found[k]) continue;
        const QRectF& box = *found[k];
        m_names[order[k]] = box;
        // A name that had to go far is led back to its mark.
        if (const auto leader = leaderTo(box, asked[k].at, kMark * typeScale())) {
            // In the mark's colour: it may have to pass other marks.
            painter.setPen(QPen(colour(point.idea), lineScale()));
            painter.drawLine(*leader);
        }
        // Readable where a line passes.
        QColor behind = colour(Role::dock);
        behind.setAlphaF(0.8F);
        painter.fillRect(box, behind);
        writeText(painter, box, Qt::AlignCenter, point.name, point.current ? Role::text1 : Role::text2, fontOf(point));
    }
}

void RooflineChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGrid(painter);
    std::vector<QRectF> taken;
    if (m_ceilings) taken = paintCeilings(painter);
    paintNames(painter, taken);
    const double mark = kMark * typeScale();
    for (const Point& point : m_points) {
        if (point.tflops <= 0) continue;
        const QPointF at = place(point.operationsPerByte, point.tflops);
        drawShape(painter, QRectF(at - QPointF(mark / 2, mark / 2), QSizeF(mark, mark)), point.idea);
        if (!point.current) continue;
        painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, mark * 0.8, mark * 0.8);
    }
}

QString RooflineChart::tipAt(QPoint place) const {
    QStringList near;
    if (place.y() > area().bottom() + kBelow * typeScale()) return untimed();
    for (const Point& point : m_points) {
        if (point.tflops <= 0) continue;
        const QPointF away = this->place(point.operationsPerByte, point.tflops) - place;
        if (std::hypot(away.x(), away.y()) < kMark) near << textOf(point);
    }
    return near.join(u'\n');
}

}  // namespace warplens::gui
