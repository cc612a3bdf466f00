// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/counts_curve.hpp"

#include "gui/kit/axis.hpp"
#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kLeftOfCurve{60}, kRightOfCurve{20}, kAboveCurve{8}, kBelowCurve{22}, kWords{16}, kLeastRoom{52};
constexpr double kCurveLine = 2.4, kMark = 1.6, kMarkDot = 4.5;

}  // namespace

CountsCurve::CountsCurve(QWidget* parent) : Plot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Counts by step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

QSize CountsCurve::sizeHint() const { return {480, Length(104)}; }

QSize CountsCurve::minimumSizeHint() const {
    return {200, 0};  // in a low window it gives way
}

void CountsCurve::setCounts(std::vector<std::int64_t> counts, std::int64_t first, const QString& steps) {
    m_counts = std::move(counts);
    m_first = first;
    m_steps = steps;
    m_highest = m_counts.empty() ? 1 : std::max<std::int64_t>(1, std::ranges::max(m_counts));
    if (m_at && *m_at >= m_counts.size()) m_at.reset();
    setAccessibleDescription(
        tr("%1 %2, at most %3 at once")
            .arg(format::integer(static_cast<std::int64_t>(m_counts.size())), m_steps, format::integer(m_highest)));
    update();
}

void CountsCurve::setAt(std::optional<std::size_t> at) {
    if (std::exchange(m_at, at) != at) update();
}

QRectF CountsCurve::area() const {
    return QRectF(kLeftOfCurve, kAboveCurve, std::max(1, width() - kLeftOfCurve - kRightOfCurve),
                  std::max(1, height() - kAboveCurve - kBelowCurve));
}

double CountsCurve::x(std::size_t step) const {
    const auto last = static_cast<double>(std::max<std::size_t>(2, m_counts.size()) - 1);
    return area().left() + area().width() * static_cast<double>(step) / last;
}

std::optional<std::size_t> CountsCurve::stepAt(double x) const {
    if (m_counts.empty()) return std::nullopt;
    const auto last = static_cast<double>(m_counts.size() - 1);
    const double share = std::clamp((x - area().left()) / area().width(), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * last));
}

void CountsCurve::choose(double x) {
    if (const auto step = stepAt(x)) emit chosen(*step);
}

void CountsCurve::paintEvent(QPaintEvent*) {
    if (height() < kLeastRoom) return;
    QPainter painter(this);
    painter.setFont(textFont(TextSize::caption));
    const QRectF plot = area();
    const auto y = [&](std::int64_t count) {
        return plot.bottom() - plot.height() * static_cast<double>(count) / static_cast<double>(m_highest);
    };
    for (const std::int64_t count : {std::int64_t{0}, m_highest}) {
        painter.fillRect(QRectF(plot.left(), std::round(y(count)), plot.width(), 1), colour(Role::hairline));
        writeText(painter, QRectF(0, y(count) - kWords / 2.0, plot.left() - 6, kWords),
                  Qt::AlignRight | Qt::AlignVCenter, format::integer(count), Role::text2);
    }
    if (m_counts.empty()) return;
    const auto last = static_cast<std::int64_t>(m_counts.size()) - 1;
    const ValueScale scale(static_cast<double>(m_first), static_cast<double>(m_first + std::max<std::int64_t>(1, last)),
                           1, false, plot.left(), plot.right());
    for (const double tick : scale.ticks(Length(64)))
        if (tick == std::round(tick) && scale.x(tick) < plot.right() - Length(72))
            writeText(painter, QRectF(scale.x(tick) - Length(32), plot.bottom() + 4, Length(64), kWords),
                      Qt::AlignCenter, format::integer(std::llround(tick)), Role::text2);
    writeText(painter, QRectF(plot.right() - Length(160), plot.bottom() + 4, Length(160) + kRightOfCurve - 4, kWords),
              Qt::AlignRight | Qt::AlignVCenter, tr("%1 %2").arg(format::integer(m_first + last), m_steps),
              Role::text2);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour(Role::text1), kCurveLine * lineScale(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    QPolygonF line;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        const QPointF now(x(i), y(m_counts[i]));
        // Where steps are closer than pixels, the highest of them.
        if (line.size() > 1 && now.x() - line[line.size() - 2].x() < 1)
            line.back().setY(std::min(line.back().y(), now.y()));
        else
            line << now;
    }
    painter.drawPolyline(line);
    if (!m_at) return;
    painter.setPen(QPen(colour(Role::accent), kMark * lineScale()));
    painter.drawLine(QPointF(x(*m_at), plot.top()), QPointF(x(*m_at), plot.bottom()));
    painter.setBrush(colour(Role::accent));
    painter.drawEllipse(QPointF(x(*m_at), y(m_counts[*m_at])), kMarkDot, kMarkDot);
}

void CountsCurve::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(event->position().x());
}

void CountsCurve::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) choose(event->position().x());
}

void CountsCurve::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_counts.empty()) return QWidget::keyPressEvent(event);
    const auto last = static_cast<std::int64_t>(m_counts.size()) - 1;
    emit chosen(static_cast<std::size_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(m_at.value_or(0)) + step, 0, last)));
}

QString CountsCurve::tipAt(QPoint place) const {
    const auto step = stepAt(place.x());
    if (!step) return {};
    return tr("Step %1: %2")
        .arg(format::integer(m_first + static_cast<std::int64_t>(*step)), format::integer(m_counts[*step]));
}

}  // namespace warplens::gui
