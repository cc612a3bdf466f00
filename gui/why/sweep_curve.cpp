// SPDX-License-Identifier: Apache-2.0
#include "gui/why/sweep_curve.hpp"

#include "gui/kit/axis.hpp"
#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kWide = 20;  // from which ratio of times on the scale is logarithmic

double widthOf(const QFont& font, const QString& text) { return QFontMetricsF(font).horizontalAdvance(text); }

}  // namespace

SweepCurve::SweepCurve(QWidget* parent) : Plot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Times over one axis"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void SweepCurve::setCurves(Curves curves) {
    m_curves = std::move(curves);
    m_most = 0;
    m_least = 0;
    for (const Curve& curve : m_curves.curves) {
        for (const auto& point : curve.points) {
            if (!point) continue;
            m_most = std::max(m_most, point->high);
            m_least = m_least <= 0 ? point->low : std::min(m_least, point->low);
        }
    }
    m_log = m_least > 0 && m_most > kWide * m_least;
    m_chosen = std::clamp(m_chosen, 0, std::max(0, static_cast<int>(m_curves.values.size()) - 1));
    setAccessibleDescription(m_curves.spoken.value(m_chosen));
    update();
}

void SweepCurve::choose(int value) {
    if (value < 0 || value >= m_curves.values.size() || value == m_chosen) return;
    m_chosen = value;
    setAccessibleDescription(m_curves.spoken.value(value));
    update();
    emit valueChosen(value);
}

QRectF SweepCurve::area() const {
    double names = 0;
    for (const Curve& curve : m_curves.curves) names = std::max(names, widthOf(textFont(TextSize::body), curve.name));
    const double left = widthOf(textFont(TextSize::caption), QStringLiteral("00.000")) + 2 * kGap;
    return QRectF(rect()).adjusted(left, kRowHeight + kGap, -(names + kGlyphBox + 3.0 * kGap),
                                   -2.0 * kRowHeight - kGap);
}

QPointF SweepCurve::place(int value, double ms) const {
    const QRectF box = area();
    const auto count = static_cast<double>(std::max<qsizetype>(1, m_curves.values.size()));
    const double x = box.left() + (value + 0.5) * box.width() / count;
    const double from = m_log ? std::log(m_least) : 0, to = m_log ? std::log(m_most) : m_most;
    const double share = to > from ? ((m_log ? std::log(std::max(ms, m_least)) : ms) - from) / (to - from) : 0;
    return {x, box.bottom() - 0.95 * share * box.height()};
}

int SweepCurve::valueAt(double x) const {
    const QRectF box = area();
    const auto count = static_cast<int>(m_curves.values.size());
    return std::clamp(static_cast<int>(std::floor((x - box.left()) / box.width() * count)), 0, std::max(0, count - 1));
}

void SweepCurve::drawScales(QPainter& painter) const {
    const QRectF box = area();
    const QFont caption = textFont(TextSize::caption);
    std::vector<double> ticks;
    if (m_log) {
        for (double power = std::pow(10, std::floor(std::log10(m_least))); power <= m_most; power *= 10)
            for (const double factor : {1.0, 2.0, 5.0})
                if (factor * power >= m_least && factor * power <= m_most) ticks.push_back(factor * power);
    } else {
        const double step = roundStep(m_most / 6);
        for (int i = 0; step > 0 && i * step <= m_most; ++i) ticks.push_back(i * step);
    }
    for (const double tick : ticks) {
        const double y = place(0, tick).y();
        painter.setPen(QPen(colour(Role::hairline), 1));
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        writeText(painter, QRectF(0, y - kRowHeight / 2.0, box.left() - kGap, kRowHeight),
                  Qt::AlignRight | Qt::AlignVCenter, format::brief(tick), Role::text2, caption);
    }
    const QString head =
        m_log ? tr("median, ms, logarithmic; bars: 95 % interval") : tr("median, ms; bars: 95 % interval");
    writeText(painter, QRectF(kDockMargin, 0, box.right(), kRowHeight), Qt::AlignLeft | Qt::AlignVCenter, head,
              Role::text2, caption);
    const double mark = kGlyphBox;
    drawOriginGlyph(painter, QRectF(kDockMargin + widthOf(caption, head) + kGap, (kRowHeight - mark) / 2, mark, mark),
                    m_curves.origin);
    for (int i = 0; i < m_curves.values.size(); ++i) {
        const double x = place(i, m_most).x(), wide = box.width() / static_cast<double>(m_curves.values.size());
        writeText(painter, QRectF(x - wide / 2, box.bottom() + 4, wide, kRowHeight), Qt::AlignCenter,
                  m_curves.values[i], Role::text2, caption);
        if (m_curves.refused[static_cast<std::size_t>(i)])
            drawStatusGlyph(painter, QRectF(x - mark / 2, box.bottom() - mark - 2, mark, mark),
                            ResultState::unsupported);
    }
    writeText(painter, QRectF(box.left(), box.bottom() + kRowHeight + 4, box.width(), kRowHeight), Qt::AlignCenter,
              m_curves.title, Role::text3, caption);
}

void SweepCurve::drawCurve(QPainter& painter, const Curve& curve) const {
    const QColor ink = colour(curve.idea);
    std::optional<QPointF> before;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const auto& point = curve.points[i];
        if (!point) {
            before.reset();
            continue;
        }
        const int value = static_cast<int>(i);
        const QPointF at = place(value, point->median);
        painter.setPen(QPen(ink, 2 * lineScale()));
        if (before) painter.drawLine(*before, at);
        painter.setPen(QPen(ink, lineScale()));
        painter.drawLine(place(value, point->low), place(value, point->high));
        before = at;
    }
    const double mark = kGlyphBox;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        if (!curve.points[i]) continue;
        const QPointF at = place(static_cast<int>(i), curve.points[i]->median);
        drawShape(painter, QRectF(at.x() - mark / 2, at.y() - mark / 2, mark, mark), curve.idea);
    }
}

/// Each beside its last point, moved down where the one above is in its place.
void SweepCurve::drawNames(QPainter& painter) const {
    struct Name {
        double y = 0;
        const Curve* curve = nullptr;
    };
    std::vector<Name> names;
    for (const Curve& curve : m_curves.curves) {
        for (std::size_t i = curve.points.size(); i-- > 0;) {
            if (!curve.points[i]) continue;
            names.push_back({place(static_cast<int>(i), curve.points[i]->median).y(), &curve});
            break;
        }
    }
    std::ranges::stable_sort(names, {}, &Name::y);
    const double high = QFontMetricsF(textFont(TextSize::body)).height(), mark = kGlyphBox;
    // From the foot up first, as there is nothing below it to go to.
    double below = area().bottom() + high / 2;
    for (auto name = names.rbegin(); name != names.rend(); ++name) below = name->y = std::min(name->y, below) - high;
    double above = 0;
    for (Name& name : names) {
        name.y = std::max(name.y + high, above);
        above = name.y + high;
        const double x = area().right() + kGap;
        drawShape(painter, QRectF(x, name.y - mark / 2, mark, mark), name.curve->idea);
        writeText(painter, QRectF(x + mark + 4, name.y - high / 2, width() - x, high), Qt::AlignLeft | Qt::AlignVCenter,
                  name.curve->name, Role::text1, textFont(TextSize::body));
    }
}

void SweepCurve::paintEvent(QPaintEvent*) {
    if (m_curves.values.isEmpty() || m_most <= 0) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = area();
    const double wide = box.width() / static_cast<double>(m_curves.values.size());
    painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
    painter.setBrush(colour(Role::selection));
    painter.drawRect(QRectF(box.left() + m_chosen * wide, box.top(), wide, box.height()));
    painter.setBrush(Qt::NoBrush);
    drawScales(painter);
    for (const Curve& curve : m_curves.curves) drawCurve(painter, curve);
    drawNames(painter);
}

void SweepCurve::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !area().contains(event->position()))
        return QWidget::mousePressEvent(event);
    choose(valueAt(event->position().x()));
}

void SweepCurve::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return choose(m_chosen - 1);
        case Qt::Key_Right: return choose(m_chosen + 1);
        case Qt::Key_Return:
        case Qt::Key_Enter: emit taken(); return;
        default: QWidget::keyPressEvent(event);
    }
}

QString SweepCurve::tipAt(QPoint place) const {
    return m_curves.values.isEmpty() ? QString() : m_curves.spoken.value(valueAt(place.x()));
}

}  // namespace warplens::gui
