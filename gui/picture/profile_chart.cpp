// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/profile_chart.hpp"

#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/picture/bins.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kLeft{56}, kRight{14}, kAbove{10}, kFoot{22}, kWords{16}, kPlot{132}, kName{18};
constexpr double kCurve = 1.6, kCurrent = 2.4, kMark = 1.6;
constexpr int kNamesInARow = 2;

int rowsOf(std::size_t names) { return (static_cast<int>(names) + kNamesInARow - 1) / kNamesInARow; }

/// Channels tell each other apart by their dashes, results by their shapes.
QPen penOf(const ProfileCurve& curve) {
    QPen pen = curve.idea || curve.current ? QPen(curve.idea ? colour(*curve.idea) : colour(Role::text1))
                                           : channelPen(curve.id);
    pen.setWidthF((curve.current ? kCurrent : kCurve) * lineScale());
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

}  // namespace

ProfileChart::ProfileChart(QWidget* parent) : Plot(parent) {
    setObjectName(QStringLiteral("profile-chart"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Values along the line"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ProfileChart::sizeHint() const {
    return {320, kAbove + kPlot + kFoot + rowsOf(std::max<std::size_t>(1, m_curves.size())) * kName};
}

void ProfileChart::setProfile(const ProfileLine& line, std::vector<ProfileCurve> curves) {
    const bool taller = rowsOf(curves.size()) != rowsOf(m_curves.size());
    m_line = line;
    m_curves = std::move(curves);
    if (m_at && *m_at >= m_line.size()) m_at.reset();
    bool any = false;
    for (const ProfileCurve& curve : m_curves)
        for (const double value : curve.values) {
            if (!std::isfinite(value)) continue;
            m_low = any ? std::min(m_low, value) : value;
            m_high = any ? std::max(m_high, value) : value;
            any = true;
        }
    if (!any) m_low = 0, m_high = 1;
    if (m_low == m_high) m_low -= 0.5, m_high += 0.5;
    setAccessibleDescription(any ? tr("%1 pixels, values from %2 to %3")
                                       .arg(format::integer(static_cast<std::int64_t>(m_line.size())),
                                            format::value(m_low), format::value(m_high))
                                 : tr("No picture here."));
    if (taller) updateGeometry();
    update();
}

void ProfileChart::setAt(std::optional<std::size_t> at) {
    if (std::exchange(m_at, at) != at) update();
}

QRectF ProfileChart::area() const { return QRectF(kLeft, kAbove, std::max(1, width() - kLeft - kRight), kPlot); }

ValueScale ProfileChart::across() const {
    const double length = m_line.distance(m_line.size() - 1);
    return {0, std::max(1.0, length), 1, false, area().left(), area().right()};
}

ValueScale ProfileChart::up() const { return {m_low, m_high, 1, false, 0, area().height()}; }

std::optional<std::size_t> ProfileChart::pixelAt(double x) const {
    if (m_curves.empty()) return std::nullopt;
    const double share = std::clamp((x - area().left()) / area().width(), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(m_line.size() - 1)));
}

void ProfileChart::choose(double x) {
    if (const auto pixel = pixelAt(x)) emit chosen(*pixel);
}

void ProfileChart::paintAxes(QPainter& painter) const {
    const QRectF plot = area();
    painter.setFont(textFont(TextSize::caption));
    const ValueScale values = up();
    for (const double tick : values.ticks(Length(32))) {
        const double y = plot.bottom() - values.x(tick);
        painter.fillRect(QRectF(plot.left(), std::round(y), plot.width(), 1), colour(Role::hairline));
        writeText(painter, QRectF(0, y - kWords / 2.0, plot.left() - 6, kWords), Qt::AlignRight | Qt::AlignVCenter,
                  format::value(tick), Role::text2);
    }
    const ValueScale distances = across();
    constexpr Length kTick{64};
    const QString unit = tr("pixels");
    const double unitFrom = plot.right() + kRight - painter.fontMetrics().horizontalAdvance(unit) - 4;
    for (const double tick : distances.ticks(kTick)) {
        const double x = distances.x(tick);
        const QString text = format::value(tick);
        if (x + painter.fontMetrics().horizontalAdvance(text) / 2.0 > unitFrom - 4) continue;
        writeText(painter, QRectF(x - kTick / 2.0, plot.bottom() + 4, kTick, kWords), Qt::AlignCenter, text,
                  Role::text2);
    }
    writeText(painter, QRectF(0, plot.bottom() + 4, plot.right() + kRight - 4, kWords),
              Qt::AlignRight | Qt::AlignVCenter, unit, Role::text2);
}

void ProfileChart::paintCurve(QPainter& painter, const ProfileCurve& curve) const {
    const QRectF plot = area();
    const ValueScale values = up(), distances = across();
    painter.setPen(penOf(curve));
    QPolygonF points;
    const auto draw = [&] {
        if (points.size() == 1) painter.drawPoint(points.front());
        if (points.size() > 1) painter.drawPolyline(points);
        points.clear();
    };
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
        if (std::isfinite(curve.values[i]))
            points << QPointF(distances.x(m_line.distance(i)), plot.bottom() - values.x(curve.values[i]));
        else
            draw();
    }
    draw();
}

void ProfileChart::paintNames(QPainter& painter) const {
    painter.setFont(textFont(TextSize::caption));
    const double wide = (width() - 2.0 * kDockMargin) / kNamesInARow;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const int column = static_cast<int>(i) % kNamesInARow, row = static_cast<int>(i) / kNamesInARow;
        const QRectF box(kDockMargin + column * wide, area().bottom() + kFoot + row * kName, wide - kGap, kName);
        constexpr Length kSample{18};
        const double middle = box.center().y();
        painter.setPen(penOf(m_curves[i]));
        painter.drawLine(QPointF(box.left(), middle), QPointF(box.left() + kSample, middle));
        double left = box.left() + kSample + 6;
        if (m_curves[i].idea) {
            drawShape(painter, QRectF(left, middle - kGlyphBox / 2.0, kGlyphBox, kGlyphBox), *m_curves[i].idea);
            left += kGlyphBox + 4;
        }
        const QRectF words(left, box.top(), box.right() - left, box.height());
        writeText(painter, words, Qt::AlignLeft | Qt::AlignVCenter,
                  painter.fontMetrics().elidedText(m_curves[i].name, Qt::ElideRight, static_cast<int>(words.width())),
                  m_curves[i].current ? Role::text1 : Role::text2);
    }
}

void ProfileChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_curves.empty()) {
        return writeText(painter, area(), Qt::AlignCenter, tr("No picture here."), Role::text2,
                         textFont(TextSize::caption));
    }
    paintAxes(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool current : {false, true})  // that of the current pane on top
        for (const ProfileCurve& curve : m_curves)
            if (curve.current == current) paintCurve(painter, curve);
    paintNames(painter);
    if (!m_at) return;
    const double x = across().x(m_line.distance(*m_at));
    painter.setPen(QPen(colour(Role::accent), kMark * lineScale()));
    painter.drawLine(QPointF(x, area().top()), QPointF(x, area().bottom()));
}

void ProfileChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(event->position().x());
}

void ProfileChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) choose(event->position().x());
}

void ProfileChart::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_curves.empty()) return QWidget::keyPressEvent(event);
    const auto last = static_cast<std::int64_t>(m_line.size()) - 1;
    emit chosen(static_cast<std::size_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(m_at.value_or(0)) + step, 0, last)));
}

QString ProfileChart::tipAt(QPoint place) const {
    const auto pixel = pixelAt(place.x());
    if (!pixel) return {};
    const QPoint at = m_line.at(*pixel);
    QStringList said{QStringLiteral("x %1 y %2").arg(format::integer(at.x()), format::integer(at.y()))};
    for (const ProfileCurve& curve : m_curves)
        said << curve.name + QStringLiteral(": ") +
                    (std::isnan(curve.values[*pixel]) ? tr("no value") : format::value(curve.values[*pixel]));
    return said.join(u'\n');
}

}  // namespace warplens::gui
