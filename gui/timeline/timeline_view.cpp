// SPDX-License-Identifier: Apache-2.0
#include "gui/timeline/timeline_view.hpp"

#include "gpu/render/label_colour.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/plot/scale.hpp"

#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kNames{104}, kAxis{22}, kRight{12}, kOverview{26}, kBelow{10};
constexpr Length kTallest{40}, kTick{72}, kText{15};
constexpr double kWheelStep = 1.25, kKeyStep = 1.5, kPanStep = 0.2, kReach = 3;
constexpr double kHatched = 3;  // px; narrower ones would be dots
constexpr double kCrowd = 6;    // lanes that a stage gets whose workers have no room for one each

/// The same for a picture in every stage.
QColor colourOf(std::size_t item) { return gpu::render::labelColour(static_cast<std::int64_t>(item) + 1); }

}  // namespace

TimelineView::TimelineView(TimelineModel& model, QWidget* parent) : Plot(parent), m_model(model) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Timeline: one lane per worker, one bar per picture"));
    connect(&model, &TimelineModel::changed, this, [this] {
        m_hovered.reset();
        layOut();
        updateGeometry();
    });
    connect(&model, &TimelineModel::seen, this, [this] {
        const auto chosen = m_model.chosen();
        setAccessibleDescription(chosen ? m_model.describe(*chosen).join(QStringLiteral("; ")) : QString());
        update();
        emit lookedChanged();
    });
    on(this, {QEvent::Resize}, [this] { layOut(); });
}

QRectF TimelineView::area() const { return QRectF(rect()).adjusted(kNames, kAxis, -kRight, -(kOverview + 2 * kBelow)); }

QRectF TimelineView::overview() const {
    const QRectF lanes = area();
    return QRectF(lanes.left(), height() - kOverview - kBelow, lanes.width(), kOverview);
}

/// Where names do not fit beside all lanes, 48 decoders that mostly wait would leave no room for the kernels.
void TimelineView::layOut() {
    const auto& lanes = m_model.lanes();
    const bool crowded = double(lanes.size()) * kText > area().height();
    m_tops.assign(1, 0);
    for (const auto& lane : lanes) {
        const bool shares = crowded && !lane.critical && lane.workers > kCrowd;
        m_tops.push_back(m_tops.back() + (shares ? kCrowd / lane.workers : 1));
    }
}

QRectF TimelineView::laneRect(int lane) const {
    const QRectF all = area();
    const double high = std::min<double>(kTallest, all.height() / std::max(1.0, m_tops.back()));
    const auto at = std::min(static_cast<std::size_t>(lane), m_tops.size() - 1);
    const double top = m_tops[at], bottom = at + 1 < m_tops.size() ? m_tops[at + 1] : top;
    return {all.left(), all.top() + top * high, all.width(), (bottom - top) * high};
}

double TimelineView::x(double seconds) const {
    const QRectF all = area();
    return all.left() + (seconds - m_model.from()) / (m_model.to() - m_model.from()) * all.width();
}

double TimelineView::secondsAt(double x) const {
    const QRectF all = area();
    return m_model.from() + (x - all.left()) / all.width() * (m_model.to() - m_model.from());
}

QRectF TimelineView::barRect(TimelineModel::Place place) const {
    const QRectF lane = laneRect(place.first);
    const auto& bar = m_model.bar(place);
    const double gap = lane.height() >= 8 ? 1.5 : 0;
    return {x(bar.begin), lane.top() + gap, std::max(1.0, x(bar.end) - x(bar.begin)), lane.height() - 2 * gap};
}

std::optional<TimelineModel::Place> TimelineView::placeAt(QPointF position) const {
    const int lanes = static_cast<int>(m_model.lanes().size());
    if (m_model.empty() || !area().contains(position)) return std::nullopt;
    int lane = 0;
    while (lane < lanes && laneRect(lane).bottom() <= position.y()) ++lane;
    const double around = kReach / area().width() * (m_model.to() - m_model.from());
    return m_model.at(lane, secondsAt(position.x()), around);
}

TimelineView::Ticks TimelineView::ticks() const {
    const double seen = m_model.to() - m_model.from(), unit = seen >= 10 ? 1 : 1e3;
    const double step = roundStep(kTick / area().width() * seen * unit);
    return {unit, step, std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6)};
}

void TimelineView::paintAxis(QPainter& painter) const {
    const QRectF all = area();
    const auto [unit, step, decimals] = ticks();
    painter.setFont(textFont(TextSize::caption));
    for (double k = std::ceil(m_model.from() * unit / step - 1e-9); k * step <= m_model.to() * unit; ++k) {
        const double at = x(k * step / unit);
        painter.fillRect(QRectF(std::round(at), all.top(), 1, laneRect(int(m_model.lanes().size())).top() - all.top()),
                         colour(Role::hairline));
        const QString text =
            decimals == 0 ? format::integer(std::llround(k * step)) : QString::number(k * step, 'f', decimals);
        if (at < all.right() - Length(40))
            writeText(painter, QRectF(at - Length(40), 0, Length(80), kAxis), Qt::AlignCenter, text, Role::text2);
    }
    writeText(painter, QRectF(all.right() - Length(40), 0, Length(40), kAxis), Qt::AlignRight | Qt::AlignVCenter,
              unit == 1 ? tr("s") : tr("ms"), Role::text2);
}

void TimelineView::paintExposed(QPainter& painter) const {
    const double bottom = laneRect(static_cast<int>(m_model.lanes().size())).top();
    for (const auto& [begin, end] : m_model.exposed()) {
        const QRectF box = QRectF(QPointF(x(begin), area().top()), QPointF(x(end), bottom)) & area();
        if (box.width() >= kHatched) painter.fillRect(box, QBrush(colour(Role::text3), Qt::BDiagPattern));
    }
}

void TimelineView::paintNames(QPainter& painter) const {
    const auto& lanes = m_model.lanes();
    double free = 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const QRectF lane = laneRect(static_cast<int>(i));
        const auto& [name, stage, place, part, critical, workers, bars] = lanes[i];
        // Lanes that are lower than their names are named together: by their stage, the parts of a device by it.
        const bool low = lane.height() < kText;
        const bool first = i == 0 || lanes[i - 1].stage != stage || (part && lanes[i - 1].place != place);
        if (low && (!(first || (part && place.isEmpty())) || lane.top() < free)) continue;
        const double high = std::max<double>(lane.height(), kText);
        const int indent = part ? int(kDockMargin) : 0;
        const QString own =
            part && !place.isEmpty() ? place + QChar(' ') + name.section(QStringLiteral(": "), -1) : name;
        const QString together = part ? (place.isEmpty() ? name : place) : stage;
        writeText(painter, QRectF(kGap + indent, lane.top(), kNames - kGap - indent, high),
                  Qt::AlignLeft | Qt::AlignVCenter, low ? together : own, part ? Role::text2 : Role::text1,
                  critical ? boldFont(TextSize::caption) : textFont(TextSize::caption));
        free = lane.top() + high;
    }
}

void TimelineView::paintLanes(QPainter& painter) const {
    const auto& lanes = m_model.lanes();
    painter.setFont(textFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    QRectF critical;
    painter.setClipRect(area());
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const QRectF lane = laneRect(static_cast<int>(i));
        if (lanes[i].critical) critical = critical.isNull() ? lane : critical.united(lane);
        double painted = 0;
        for (std::size_t b = 0; b < lanes[i].bars.size(); ++b) {
            const auto& bar = lanes[i].bars[b];
            if (bar.end < m_model.from() || bar.begin > m_model.to()) continue;
            QRectF box = barRect({static_cast<int>(i), static_cast<int>(b)});
            if (box.right() <= painted) continue;  // a column of pixels that is painted
            painted = box.right();
            if (box.width() > 4) box.setWidth(box.width() - 1);
            const QColor ground = colourOf(bar.item);
            painter.fillRect(box, bar.modelled ? QBrush(ground, Qt::Dense4Pattern) : QBrush(ground));
            const QString number = QString::number(bar.item + 1);
            const QRectF seen = box & area();
            if (bar.modelled || seen.height() < kText || seen.width() < metrics.horizontalAdvance(number) + 4) continue;
            painter.setPen(inkOn(ground));
            painter.drawText(seen, Qt::AlignCenter, number);
        }
    }
    painter.setClipping(false);
    painter.setPen(QPen(colour(Role::text1), lineScale()));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(critical.adjusted(-1.5, 0, 1.5, 0));
}

void TimelineView::paintLooked(QPainter& painter) const {
    if (const auto place = looked()) {
        painter.setClipRect(area().adjusted(-2, -2, 2, 2));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
        painter.drawRect(barRect(*place));
        painter.setClipping(false);
    }
    if (!m_mouse || *m_mouse < area().left() || *m_mouse > area().right()) return;
    painter.fillRect(QRectF(*m_mouse, area().top(), lineScale(), overview().top() - kBelow - area().top()),
                     colour(Role::accent));
    const auto [unit, step, decimals] = ticks();
    const QString at = QString::number(secondsAt(*m_mouse) * unit, 'f', decimals + 1);
    const QString text = unit == 1 ? tr("%1 s").arg(at) : tr("%1 ms").arg(at);
    const double wide = QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(text) + 2 * kGap;
    const QRectF box(std::clamp(*m_mouse - wide / 2, 0.0, width() - wide), 1, wide, kAxis - 2);
    painter.fillRect(box, colour(Role::accentFill));
    writeText(painter, box, Qt::AlignCenter, text, Role::onAccent, textFont(TextSize::caption));
}

void TimelineView::paintOverview(QPainter& painter) const {
    const QRectF whole = overview();
    painter.fillRect(whole, colour(Role::field));
    const auto& lanes = m_model.lanes();
    const double seconds = std::max(m_model.timeline().seconds, 1e-9), high = whole.height() / m_tops.back();
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        double painted = 0;
        for (const auto& bar : lanes[i].bars) {
            const double left = bar.begin / seconds * whole.width(), right = bar.end / seconds * whole.width();
            if (right <= painted) continue;
            painted = std::max(right, left + 1);
            painter.fillRect(QRectF(whole.left() + left, whole.top() + m_tops[i] * high, painted - left,
                                    std::max(1.0, (m_tops[i + 1] - m_tops[i]) * high - 1)),
                             colour(lanes[i].critical ? Role::text1 : Role::text3));
        }
    }
    const double left = m_model.from() / seconds * whole.width(), right = m_model.to() / seconds * whole.width();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour(Role::accent), 1.5 * lineScale()));
    painter.drawRect(QRectF(whole.left() + left, whole.top() - 1, std::max(2.0, right - left), whole.height() + 2));
    writeText(painter, QRectF(kGap, whole.top(), kNames - kGap, whole.height()), Qt::AlignLeft | Qt::AlignVCenter,
              tr("whole run"), Role::text2, textFont(TextSize::caption));
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    if (m_model.empty()) {
        writeText(
            painter, QRectF(rect()).adjusted(kDockMargin, 0, -kDockMargin, 0), Qt::AlignCenter | Qt::TextWordWrap,
            tr("Shows when each stage ran. Compare variants (F5), run a folder (Ctrl+Alt+O), or measure transfers to "
               "see a timeline. You can also open one saved by warplens-cli."),
            Role::text2, textFont(TextSize::body));
        return;
    }
    paintExposed(painter);
    paintAxis(painter);
    paintNames(painter);
    paintLanes(painter);
    paintOverview(painter);
    paintLooked(painter);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(colour(Role::accent));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineView::hover(std::optional<QPointF> position) {
    const auto before = looked();
    m_hovered = position ? placeAt(*position) : std::nullopt;
    m_mouse = position && area().contains(*position) ? std::optional(position->x()) : std::nullopt;
    update();
    if (looked() != before) emit lookedChanged();
}

void TimelineView::seeAround(double x) {
    const QRectF whole = overview();
    const double at = (x - whole.left()) / whole.width() * m_model.timeline().seconds;
    const double half = (m_model.to() - m_model.from()) / 2;
    m_model.see(at - half, at + half);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (m_model.empty()) return event->ignore();
    const QPoint turned = event->angleDelta();
    if (std::abs(turned.x()) > std::abs(turned.y()) || event->modifiers().testFlag(Qt::ShiftModifier)) {
        const int by = turned.x() != 0 ? turned.x() : turned.y();
        m_model.pan(-by / 120.0 * kPanStep);
    } else {
        m_model.zoom(std::pow(kWheelStep, turned.y() / 120.0), secondsAt(event->position().x()));
    }
    hover(event->position());
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (m_model.empty() || event->button() != Qt::LeftButton) return event->ignore();
    m_inOverview = overview().contains(event->position());
    m_dragged = event->position().x();
    if (m_inOverview)
        seeAround(event->position().x());
    else if (const auto place = placeAt(event->position()))
        m_model.choose(place);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragged && m_inOverview) {
        seeAround(event->position().x());
    } else if (m_dragged) {
        m_model.pan((*m_dragged - event->position().x()) / area().width());
        m_dragged = event->position().x();
    }
    hover(event->position());
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) m_model.fit();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = (m_model.from() + m_model.to()) / 2, whole = m_model.timeline().seconds;
    const double width = m_model.to() - m_model.from();
    const bool moves = event->modifiers().testFlag(Qt::ShiftModifier);
    if (m_model.empty()) return Plot::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Left: moves ? m_model.pan(-kPanStep) : m_model.step(-1, 0); break;
        case Qt::Key_Right: moves ? m_model.pan(kPanStep) : m_model.step(1, 0); break;
        case Qt::Key_Up: m_model.step(0, -1); break;
        case Qt::Key_Down: m_model.step(0, 1); break;
        case Qt::Key_Home: m_model.see(0, width); break;
        case Qt::Key_End: m_model.see(whole - width, whole); break;
        case Qt::Key_Plus:
        case Qt::Key_Equal: m_model.zoom(kKeyStep, middle); break;
        case Qt::Key_Minus: m_model.zoom(1 / kKeyStep, middle); break;
        default: Plot::keyPressEvent(event);
    }
}

QString TimelineView::tipAt(QPoint place) const {
    const auto found = placeAt(place);
    if (found) return m_model.describe(*found).join(QChar('\n'));
    if (m_model.empty() || !area().contains(place)) return {};
    return tr("Hatched: exposed, the critical stage is idle meanwhile.");
}

}  // namespace warplens::gui
