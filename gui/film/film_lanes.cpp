// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_lanes.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kLaneNames{96}, kLaneEdge{12}, kPhases{24}, kRow{20}, kLowRow{16};
constexpr int kMostLanes = 8, kMostOfTwo = 4;  ///< of warps that are seen at once

QString wordOf(gpu::FilmPhaseKind kind) {
    switch (kind) {
        case gpu::FilmPhaseKind::setUp: return FilmLanes::tr("set up");
        case gpu::FilmPhaseKind::add: return FilmLanes::tr("load and add");
        case gpu::FilmPhaseKind::load: return FilmLanes::tr("load");
        case gpu::FilmPhaseKind::compute: return FilmLanes::tr("compute");
        case gpu::FilmPhaseKind::store: return FilmLanes::tr("store");
        case gpu::FilmPhaseKind::finish: return FilmLanes::tr("compute and store");
        case gpu::FilmPhaseKind::stream: return FilmLanes::tr("load and store");
        case gpu::FilmPhaseKind::wait: return FilmLanes::tr("barrier");
    }
    return {};
}

}  // namespace

FilmLanes::FilmLanes(FilmModel& model, const FilmClock& clock, QWidget* parent)
    : Plot(parent), m_model(model), m_clock(clock) {
    setObjectName(QStringLiteral("film-lanes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&clock, &FilmClock::changed, this, [this] { update(); });
    connect(&model, &FilmModel::filmChanged, this, [this] { updateGeometry(); });
}

int FilmLanes::rowHeight() const { return window()->height() < 800 ? int(kLowRow) : int(kRow); }
int FilmLanes::shownWarps() const {
    const int most = m_clock.both() ? kMostOfTwo : kMostLanes;
    return m_model.film() == nullptr ? most : std::min(most, m_model.film()->warps());
}
int FilmLanes::firstWarp() const {
    const gpu::FilmStep* step = m_model.step();
    if (step == nullptr) return 0;
    return std::clamp(step->warp - shownWarps() / 2, 0, m_model.film()->warps() - shownWarps());
}
QSize FilmLanes::sizeHint() const {
    return {600, kPhases + 8 + (m_clock.both() ? kMostOfTwo : kMostLanes) * rowHeight()};
}
QSize FilmLanes::minimumSizeHint() const { return {300, kPhases + 8 + shownWarps() * rowHeight()}; }

double FilmLanes::xOf(double column) const {
    return kLaneNames + column * (width() - kLaneNames - kLaneEdge) / std::max(1, m_clock.columns());
}

void FilmLanes::paintPhases(QPainter& painter) const {
    painter.setFont(textFont(TextSize::caption));
    const gpu::FilmPhase* now = m_model.phase();
    for (const gpu::FilmPhase& phase : m_model.phases()) {
        if (phase.count == 0) continue;
        const double from = xOf(m_model.columnOf(phase.first));
        const double to = xOf(m_model.columnOf(phase.first + phase.count - 1) + 1);
        const QRectF box(from + 1, 2, to - from - 2, kPhases - 4);
        painter.fillRect(box, colour(&phase == now ? Role::selection : Role::strip));
        const QString word = wordOf(phase.kind);
        if (box.width() > painter.fontMetrics().horizontalAdvance(word) + 6)
            writeText(painter, box, Qt::AlignCenter, word, &phase == now ? Role::text1 : Role::text2);
    }
}

void FilmLanes::paintBarriers(QPainter& painter) const {
    for (const gpu::FilmPhase& phase : m_model.phases()) {
        if (phase.count > 0) continue;
        const double x = phase.first < m_model.steps() ? xOf(m_model.columnOf(phase.first)) : xOf(m_model.columns());
        painter.fillRect(QRectF(x - 1, 2, 2, kPhases + shownWarps() * rowHeight() - 2), colour(Role::text1));
    }
}

void FilmLanes::paintLane(QPainter& painter, int warp, const QRectF& row) const {
    const gpu::Film& film = *m_model.film();
    const bool current = m_model.step()->warp == warp && !m_model.over();
    const auto doing = m_model.doing(warp);
    const QString state = current                                ? tr("now")
                          : doing == gpu::FilmState::Warp::waits ? tr("waits")
                          : doing == gpu::FilmState::Warp::ended ? tr("done")
                                                                 : QString();
    writeText(painter, QRectF(kLaneEdge, row.top(), kLaneNames - kLaneEdge, row.height()),
              Qt::AlignLeft | Qt::AlignVCenter, tr("warp %1").arg(warp), current ? Role::text1 : Role::text2,
              current ? boldFont(TextSize::caption) : textFont(TextSize::caption));
    writeText(painter, QRectF(kLaneEdge, row.top(), kLaneNames - kLaneEdge - 8, row.height()),
              Qt::AlignRight | Qt::AlignVCenter, state, current ? Role::accent : Role::text3,
              textFont(TextSize::caption));
    const QColor done = colour(m_model.variant()->idea);
    const double gap = xOf(1) - xOf(0) > 5 ? 1 : 0;
    for (int i = 0; i < m_model.steps(); ++i) {
        if (film.steps[static_cast<std::size_t>(i)].warp != warp) continue;
        const double from = xOf(m_model.columnOf(i)) + gap, to = xOf(m_model.columnOf(i) + 1) - gap;
        const QRectF box(from, row.top() + 2, std::max(1.0, to - from), row.height() - 4);
        if (i <= m_model.at()) {
            painter.fillRect(box, i == m_model.at() && !m_model.over() ? colour(Role::accent) : done);
        } else {
            painter.fillRect(box, colour(Role::field));
            painter.setPen(QPen(colour(Role::line), 1));
            if (gap > 0) painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    if (doing != gpu::FilmState::Warp::waits) return;
    // Hatched from its last request to the barrier.
    int last = -1, barrier = m_model.columns();
    const int epoch = m_model.step()->epoch;
    for (int i = m_model.at(); i >= 0 && last < 0; --i)
        if (film.steps[static_cast<std::size_t>(i)].warp == warp) last = m_model.columnOf(i);
    for (int i = m_model.at(); i < m_model.steps(); ++i) {
        if (film.steps[static_cast<std::size_t>(i)].epoch == epoch) continue;
        barrier = m_model.columnOf(i);
        break;
    }
    const double from = xOf(last + 1) + gap, to = xOf(barrier) - gap;
    painter.fillRect(QRectF(from, row.top() + 2, to - from, row.height() - 4),
                     QBrush(colour(Role::text3), Qt::BDiagPattern));
}

void FilmLanes::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    if (m_model.step() == nullptr) return;
    paintPhases(painter);
    for (int i = 0; i < shownWarps(); ++i)
        paintLane(painter, firstWarp() + i, QRectF(0, kPhases + i * rowHeight(), width(), rowHeight()));
    paintBarriers(painter);
    const double x = xOf(m_clock.column() + 0.5);
    painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
    painter.drawLine(QPointF(x, kPhases - 4), QPointF(x, kPhases + shownWarps() * rowHeight()));
}

void FilmLanes::choose(QPoint place, bool phases) {
    if (m_model.step() == nullptr) return;
    const int column =
        std::clamp(static_cast<int>(std::floor((place.x() - xOf(0)) / (xOf(1) - xOf(0)))), 0, m_model.columns() - 1);
    if (phases && place.y() < kPhases) {
        for (const gpu::FilmPhase& phase : m_model.phases())
            if (phase.count > 0 && m_model.columnOf(phase.first) <= column &&
                column <= m_model.columnOf(phase.first + phase.count - 1))
                return m_model.goTo(phase.first);
        return;
    }
    const int row = (place.y() - kPhases) / rowHeight();
    const bool lane = phases && row >= 0 && row < shownWarps();
    m_model.chooseWarp(lane ? firstWarp() + row : m_model.step()->warp, column);
}

void FilmLanes::mousePressEvent(QMouseEvent* event) { choose(event->pos(), true); }

void FilmLanes::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) choose(event->pos(), false);
}

QString FilmLanes::tipAt(QPoint place) const {
    if (m_model.step() == nullptr) return {};
    for (const gpu::FilmPhase& phase : m_model.phases())
        if (place.y() < kPhases && phase.count > 0 && place.x() >= xOf(m_model.columnOf(phase.first)) &&
            place.x() < xOf(m_model.columnOf(phase.first + phase.count - 1) + 1))
            return tr("%1, steps %2 to %3").arg(wordOf(phase.kind)).arg(phase.first + 1).arg(phase.first + phase.count);
    return tr(
        "Filled: done; outlined: to come; hatched: waits at the barrier. A step is one warp and one request; a "
        "width is no time.");
}

}  // namespace warplens::gui
