// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/solve_chart.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kLeftRoom{52}, kRightRoom{74}, kTopRoom{12}, kBottomRoom{40}, kLeastHigh{60};
constexpr double kBefore = 0.5;  // where no product was taken, on a log scale
constexpr int kMostDots = 48, kMostPowers = 8;
constexpr double kNear = 40;  // pixels

gpu::Idea ideaOf(const std::string& solver) {
    return solver == "jacobi" ? gpu::Idea::plain : solver == "cg" ? gpu::Idea::cache : gpu::Idea::registers;
}

QString titleOf(const std::string& solver) {
    return solver == "jacobi" ? QStringLiteral("Jacobi")
           : solver == "cg"   ? QStringLiteral("CG")
                              : SolveChart::tr("multigrid");
}

QString power(int exponent) {
    return exponent == 0 ? QStringLiteral("1") : QStringLiteral("1e") + QChar(0x2212) + QString::number(-exponent);
}

}  // namespace

SolveChart::SolveChart(QWidget* parent) : Plot(parent) {
    setWords(this, {.id = "solve-curves", .name = tr("Residual over products with the matrix")});
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void SolveChart::setCurves(const std::map<std::string, SolveCurve>& curves, const std::string& solver,
                           std::optional<std::int64_t> at) {
    m_curves = curves;
    m_solver = solver;
    m_at = at;
    double most = 10, least = 1e-3;
    for (const auto& [name, curve] : m_curves)
        for (const SolveCurve::Point& point : curve.points) {
            most = std::max(most, static_cast<double>(point.products));
            if (point.left > 0) least = std::min(least, point.left);
        }
    m_most = most;
    m_decades = std::clamp(static_cast<int>(std::ceil(-std::log10(least) - 1e-9)), 1, kMostPowers);
    setAccessibleDescription(spoken());
    update();
}

QString SolveChart::spoken() const {
    QStringList all;
    for (const auto& [solver, curve] : m_curves) {
        const SolveCurve::Point& last = curve.points.back();
        all << tr("%1: %2 of the first residual after %3 products, %4 steps (counted)")
                   .arg(titleOf(solver), format::brief(last.left), format::integer(last.products),
                        format::integer(last.step));
    }
    return all.isEmpty() ? tr("No solver has run.") : all.join(u'\n');
}

QSize SolveChart::sizeHint() const { return {380, 260}; }

// Type grows with a projector, and what is written around the curves with it.
QSize SolveChart::minimumSizeHint() const { return {240, kTopRoom + kLeastHigh + kBottomRoom}; }

QRectF SolveChart::area() const {
    return QRectF(kLeftRoom, kTopRoom, std::max(20, width() - kLeftRoom - kRightRoom),
                  std::max(20, height() - kTopRoom - kBottomRoom));
}

QPointF SolveChart::at(const SolveCurve::Point& point) const {
    const QRectF plot = area();
    const double across =
        std::log10(std::max(kBefore, static_cast<double>(point.products)) / kBefore) / std::log10(m_most / kBefore);
    const double down = point.left > 0 ? std::clamp(-std::log10(point.left) / m_decades, 0.0, 1.0) : 1;
    return {plot.left() + across * plot.width(), plot.top() + down * plot.height()};
}

QPointF SolveChart::pointAt(const std::string& solver, std::size_t point) const {
    return at(m_curves.at(solver).points.at(point));
}

QString SolveChart::axisTitle() const {
    const QString whole = tr("products with the matrix, log scale");
    const bool fits = QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(whole) <= area().width();
    return fits ? whole : tr("products, log scale");
}

void SolveChart::paintGrid(QPainter& painter) const {
    const QRectF plot = area();
    painter.setFont(textFont(TextSize::caption));
    const int every = plot.height() / m_decades < Length(18) ? 2 : 1;
    for (int decade = 0; decade <= m_decades; decade += every) {
        const double y = plot.top() + plot.height() * decade / m_decades;
        painter.fillRect(QRectF(plot.left(), std::round(y), plot.width(), 1), colour(Role::hairline));
        writeText(painter, QRectF(0, y - Length(8), kLeftRoom - 8, Length(16)), Qt::AlignRight | Qt::AlignVCenter,
                  power(-decade), Role::text2);
    }
    for (double products = 1; products <= m_most; products *= 10) {
        const double x = at({.step = 0, .products = static_cast<std::int64_t>(products), .left = 1}).x();
        painter.fillRect(QRectF(std::round(x), plot.top(), 1, plot.height()), colour(Role::hairline));
        writeText(painter, QRectF(x - Length(30), plot.bottom() + 2, Length(60), Length(16)),
                  Qt::AlignHCenter | Qt::AlignTop, format::integer(std::llround(products)), Role::text2);
    }
    writeText(painter, QRectF(plot.left(), plot.bottom() + Length(19), plot.width(), Length(18)), Qt::AlignCenter,
              axisTitle(), Role::text2);
}

void SolveChart::paintCurve(QPainter& painter, const std::string& solver, const SolveCurve& curve) const {
    const QColor ink = colour(ideaOf(solver));
    QPolygonF line;
    for (const SolveCurve::Point& point : curve.points) line << at(point);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 2.4 * lineScale(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    if (line.size() <= kMostDots)
        for (const QPointF& dot : line)
            drawShape(painter, QRectF(dot.x() - 5, dot.y() - 5, 10, 10), shapeOf(ideaOf(solver)), ink);
    const QPointF end = line.back();
    writeText(painter, QRectF(end.x() + 8, end.y() - Length(9), kRightRoom, Length(18)),
              Qt::AlignLeft | Qt::AlignVCenter, titleOf(solver), Role::text1, textFont(TextSize::caption));
    if (solver != m_solver || !m_at) return;
    const auto shown = std::ranges::lower_bound(curve.points, *m_at, {}, &SolveCurve::Point::step);
    const QPointF mark = shown == curve.points.end() ? end : at(*shown);
    painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
    painter.drawEllipse(mark, 7, 7);
}

void SolveChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    painter.setRenderHint(QPainter::Antialiasing);
    paintGrid(painter);
    for (const auto& [solver, curve] : m_curves) paintCurve(painter, solver, curve);
    if (m_curves.empty())
        writeText(painter, area(), Qt::AlignCenter | Qt::TextWordWrap, tr("No solver has run for this task."),
                  Role::text2, textFont(TextSize::body));
}

SolveChart::Nearest SolveChart::nearest(QPointF place, const std::string& only) const {
    Nearest found;
    for (const auto& [solver, curve] : m_curves) {
        if (!only.empty() && solver != only) continue;
        for (const SolveCurve::Point& point : curve.points) {
            // Along a curve that is held, the steps follow the mouse from left to right.
            const QPointF apart = at(point) - place;
            const double far = only.empty() ? std::hypot(apart.x(), apart.y()) : std::abs(apart.x());
            if (found.point == nullptr || far < found.apart) found = {solver, &point, far};
        }
    }
    return found;
}

void SolveChart::choose(QPointF place) {
    const Nearest found = nearest(place, m_held);
    if (found.point == nullptr || (m_held.empty() && found.apart > kNear)) return;
    m_held = found.solver;
    emit stepChosen(found.solver, found.point->step);
}

void SolveChart::mousePressEvent(QMouseEvent* event) {
    m_held.clear();
    if (event->button() == Qt::LeftButton) choose(event->position());
}

void SolveChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton) && !m_held.empty()) choose(event->position());
}

void SolveChart::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const auto own = m_curves.find(m_solver);
    if (by == 0 || own == m_curves.end()) return QWidget::keyPressEvent(event);
    const auto& points = own->second.points;
    const auto last = static_cast<std::int64_t>(points.size()) - 1;
    const auto shown =
        m_at ? std::ranges::lower_bound(points, *m_at, {}, &SolveCurve::Point::step) - points.begin() : last;
    const auto next = std::clamp<std::int64_t>(shown + by, std::min<std::int64_t>(1, last), last);
    emit stepChosen(m_solver, points[static_cast<std::size_t>(next)].step);
}

QString SolveChart::tipAt(QPoint place) const {
    const Nearest found = nearest(place, {});
    if (found.point == nullptr || found.apart > kNear)
        return tr("The residual, relative to the first. A click shows the picture at that step.");
    return tr("%1, step %2, %3 products: %4 of the first residual (counted)")
        .arg(titleOf(found.solver), format::integer(found.point->step), format::integer(found.point->products),
             format::brief(found.point->left));
}

}  // namespace warplens::gui
