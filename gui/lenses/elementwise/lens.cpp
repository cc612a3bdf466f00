// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/families/elementwise/arguments.hpp"
#include "gpu/families/elementwise/curve.hpp"
#include "gui/kit/derived.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/plot/plot_view.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/session/request_state.hpp"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

using gpu::elementwise::Curve;

constexpr Length kSide{232};
constexpr double kReach = 12;         // pixels, to a point
constexpr double kApart = 0.5;        // percent, between two points at least and of what the mouse moves
constexpr int kStep = 1, kLeap = 10;  // percent, by a key
constexpr int kBins = 64, kSegments = 120;
constexpr double kDigits = 1e6;
constexpr double kAll = 100;

/// In percent, as the text has them.
QPolygonF pointsOf(const Curve& curve) {
    const auto percent = [](double share) { return std::round(share * kAll * kDigits) / kDigits; };
    QPolygonF points;
    for (const auto& piece : curve.pieces) points << QPointF(percent(piece.from), percent(piece.value));
    points << QPointF(percent(curve.last), percent(curve.at(curve.last).value));
    return points;
}

/// The tone curve of the task: what it makes of the input's values, over how often they occur. Its points are dragged,
/// added and removed; the parameter's text is what holds them.
class CurveEditor : public PlotView {
public:
    CurveEditor(RequestState& request, Lens::Refuse refuse, QWidget* parent)
        : PlotView(parent),
          m_state(request.parameters()),
          m_document(request.document()),
          m_refuse(std::move(refuse)),
          m_histogram([this] { refresh(); }) {
        setWidgetText(this, {.id = "curve-editor", .name = tr("Tone curve"), .focus = true});
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        connect(&m_state, &ParameterState::changed, this, &CurveEditor::refresh);
        connect(&m_state, &ParameterState::familyChanged, this, &CurveEditor::refresh);
        connect(&m_document, &Document::changed, this, &CurveEditor::refresh);
        after(this, {QEvent::Show}, [this] { refresh(); });
        refresh();
    }

    QSize sizeHint() const override { return {kSide, kSide}; }
    QSize minimumSizeHint() const override { return {160, 160}; }
    int heightForWidth(int width) const override { return std::min<int>(width, kSide); }

protected:
    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() != Qt::LeftButton || m_points.isEmpty()) return QWidget::mousePressEvent(event);
        int point = pointAt(event->position());
        if (point < 0 && area().contains(event->position())) point = add(valueAt(event->position()));
        m_dragged = point;
        if (point >= 0) pick(point);
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (m_dragged >= 0 && m_dragged < m_points.size()) move(m_dragged, valueAt(event->position()));
    }
    void mouseReleaseEvent(QMouseEvent*) override { m_dragged = -1; }
    void contextMenuEvent(QContextMenuEvent* event) override {
        const int point = event->reason() == QContextMenuEvent::Mouse ? pointAt(event->pos()) : -1;
        if (point < 0) return PlotView::contextMenuEvent(event);
        remove(point);
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (m_points.isEmpty()) return PlotView::keyPressEvent(event);
        const int count = static_cast<int>(m_points.size()), at = std::max(0, chosen());
        const double by = event->modifiers().testFlag(Qt::ShiftModifier) ? kLeap : kStep;
        const auto moveBy = [&](double x, double y) {
            pick(at);
            move(at, m_points[at] + QPointF(x, y));
        };
        switch (event->key()) {
            case Qt::Key_Left: return moveBy(-by, 0);
            case Qt::Key_Right: return moveBy(by, 0);
            case Qt::Key_Up: return moveBy(0, by);
            case Qt::Key_Down: return moveBy(0, -by);
            case Qt::Key_PageUp: return pick(std::max(0, chosen() - 1));
            case Qt::Key_PageDown: return pick(std::min(chosen() + 1, count - 1));
            case Qt::Key_Insert: return insertBehind(std::min(at, count - 2));
            case Qt::Key_Delete: return remove(at);
            default: return PlotView::keyPressEvent(event);
        }
    }

private:
    /// Where the family is another, or its task, there is no curve.
    const gpu::Parameter* parameter() const {
        if (m_state.family() == nullptr || m_state.family()->id() != "elementwise") return nullptr;
        const auto found = std::ranges::find(m_state.parameters(), "points", &gpu::Parameter::id);
        return found != m_state.parameters().end() && m_state.visible(*found) ? &*found : nullptr;
    }

    void refresh() {
        const gpu::Parameter* of = parameter();
        setVisible(of != nullptr);
        if (of == nullptr || !isVisible()) return;
        PlotData plot{.speaks = true, .axesWhenEmpty = true, .pointer = Pointer::ring};
        plot.left = Length(34);
        plot.top = Length(24);
        plot.x = {.low = 0, .high = kAll, .grid = true, .ticks = {0, 25, 50, 75, 100}, .text = wholeNumber};
        plot.y = plot.x;
        countInput(plot);
        m_points.clear();
        try {
            draw(gpu::elementwise::curveThrough(gpu::format(m_state.value(of->id))), plot);
        } catch (const gpu::Error& error) {
            plot.marks.clear();
            plot.empty = QString::fromUtf8(error.what());
        }
        plot.tip =
            tr("Percent of the full range: the input across, the result up. A click adds a point, a right click "
               "removes it. Keys: arrows, with Shift by 10, Page Up and Page Down, Insert, Delete");
        setPlot(std::move(plot));
    }

    void draw(const Curve& curve, PlotData& plot) {
        m_points = pointsOf(curve);
        // Points outside of the range may be typed.
        for (const QPointF& point : m_points) {
            plot.x.low = std::min(plot.x.low, point.x());
            plot.x.high = std::max(plot.x.high, point.x());
            plot.y.low = std::min(plot.y.low, point.y());
            plot.y.high = std::max(plot.y.high, point.y());
        }
        LineMark line{.name = tr("curve"), .width = 1.6};
        for (int i = 0; i <= kSegments; ++i) {
            const double x = plot.x.low + (plot.x.high - plot.x.low) * i / kSegments;
            line.at << QPointF(x, curve.at(x / kAll).value * kAll);
        }
        plot.marks.emplace_back(std::move(line));
        plot.marks.emplace_back(PointMark{.name = tr("points"), .at = m_points, .size = 8, .ink = Role::text1});
        plot.choices.by = PlotChoices::By::point;
        plot.choices.at = m_points;
        plot.choices.spoken = [points = m_points](int i) {
            return tr("point %1 of %2: %3 % becomes %4 %")
                .arg(i + 1)
                .arg(points.size())
                .arg(format::value(points[i].x()), format::value(points[i].y()));
        };
        plot.spoken = tr("a curve through %1 points").arg(m_points.size());
    }

    /// How often the input's values occur, behind the curve.
    void countInput(PlotData& plot) {
        const auto grid = m_document.grid();
        if (grid == nullptr) return m_histogram.forget();
        m_histogram.ask(grid, [grid](const JobContext&) { return valueHistogram(*grid, kBins); });
        const ValueHistogram* counted = m_histogram.value();
        if (counted == nullptr || counted->counts.empty()) return;
        const double percent = kAll / gpu::elementwise::topOf(grid->type());
        const double wide = (counted->high - counted->low) / static_cast<double>(counted->counts.size());
        const auto most = static_cast<double>(std::ranges::max(counted->counts));
        BarMark bars{.name = tr("input"), .ink = PlotInk::Between{Role::dock, Role::text3, 0.4}};
        double from = counted->low;
        for (const std::int64_t count : counted->counts) {
            const double to = from + wide;
            if (to > 0 && from * percent < kAll)
                bars.bars.push_back({std::max(0.0, from * percent), std::min(kAll, to * percent), 0,
                                     kAll * static_cast<double>(count) / most});
            from = to;
        }
        plot.marks.emplace_back(std::move(bars));
    }

    int pointAt(QPointF place) const {
        const PlotPlaces shown = places();
        int best = -1;
        double nearest = kReach;
        for (int i = 0; i < m_points.size(); ++i) {
            const QPointF away = shown.place(m_points[i]) - place;
            if (std::hypot(away.x(), away.y()) > nearest) continue;
            nearest = std::hypot(away.x(), away.y());
            best = i;
        }
        return best;
    }

    QPointF valueAt(QPointF place) const {
        const PlotPlaces shown = places();
        const auto rounded = [](double value) { return std::round(value / kApart) * kApart; };
        return {rounded(shown.x.value(place.x())), rounded(shown.y.value(place.y()))};
    }

    /// A point keeps its number: it stays between its neighbours.
    void move(int i, QPointF to) {
        const double least = i > 0 ? m_points[i - 1].x() + kApart : std::min(0.0, m_points[i].x());
        const double most = i + 1 < m_points.size() ? m_points[i + 1].x() - kApart : std::max(kAll, m_points[i].x());
        QPolygonF points = m_points;
        // Two that were typed closer together stay as they are.
        points[i] = {least <= most ? std::clamp(to.x(), least, most) : m_points[i].x(), std::clamp(to.y(), 0.0, kAll)};
        if (points[i] != m_points[i]) put(points);
    }

    /// The number of the point there; -1: none could be added.
    int add(QPointF point) {
        if (m_points.size() >= gpu::elementwise::kMostPoints) {
            m_refuse(tr("A curve has at most %1 points: remove one first.").arg(gpu::elementwise::kMostPoints));
            return -1;
        }
        const auto next = std::ranges::upper_bound(m_points, point.x(), {}, &QPointF::x);
        const auto i = static_cast<int>(next - m_points.begin());
        const auto close = [&](int k) {
            return k >= 0 && k < m_points.size() && std::abs(m_points[k].x() - point.x()) < kApart;
        };
        if (close(i - 1)) return i - 1;
        if (close(i)) return i;
        QPolygonF points = m_points;
        points.insert(i, {std::clamp(point.x(), 0.0, kAll), std::clamp(point.y(), 0.0, kAll)});
        put(points);
        return i;
    }

    /// Half way to the next point, on the curve.
    void insertBehind(int i) {
        const double x = (m_points[i].x() + m_points[i + 1].x()) / 2;
        const Curve curve = gpu::elementwise::curveThrough(gpu::format(m_state.value(parameter()->id)));
        if (const int made = add({x, std::round(curve.at(x / kAll).value * kAll / kApart) * kApart}); made >= 0)
            pick(made);
    }

    void remove(int i) {
        if (m_points.size() <= 2) return m_refuse(tr("A curve needs two points: move one instead."));
        QPolygonF points = m_points;
        points.remove(i);
        put(points);
    }

    void put(const QPolygonF& points) {
        QStringList parts;
        for (const QPointF& point : points)
            parts << QString::number(point.x(), 'g', 9) + ',' + QString::number(point.y(), 'g', 9);
        QString why;
        if (!m_state.set(parameter()->id, parts.join(';').toStdString(), &why)) m_refuse(why);
    }

    ParameterState& m_state;
    Document& m_document;
    Lens::Refuse m_refuse;
    Derived<std::shared_ptr<const io::Grid>, ValueHistogram> m_histogram;
    QPolygonF m_points;  ///< percent
    int m_dragged = -1;
};

/// The level that a rule finds in the picture; a click makes it the number that is given.
class FoundLevel : public QPushButton {
public:
    FoundLevel(RequestState& request, QWidget* parent)
        : QPushButton(parent), m_state(request.parameters()), m_document(request.document()) {
        setWidgetText(
            this,
            {.id = "found-level", .look = "flat", .tip = tr("Gives this level as a number, to be moved from there.")});
        connect(&m_state, &ParameterState::changed, this, &FoundLevel::refresh);
        connect(&m_state, &ParameterState::familyChanged, this, &FoundLevel::refresh);
        connect(&m_document, &Document::changed, this, &FoundLevel::refresh);
        connect(this, &QPushButton::clicked, this, [this] {
            const double top = gpu::elementwise::topOf(m_document.grid()->type());
            m_state.set(kLevel, kAll * m_level / top);
            m_state.set(kRule, std::string(kGiven));
        });
        refresh();
    }

private:
    void refresh() {
        if (m_state.family() == nullptr) return hide();
        const auto rule = std::ranges::find(m_state.parameters(), kRule, &gpu::Parameter::id);
        const auto name = rule == m_state.parameters().end() ? std::string(kGiven) : gpu::format(m_state.value(kRule));
        const bool finds = name != kGiven && m_state.visible(*rule) && !m_document.empty();
        setVisible(finds);
        if (!finds) return;
        m_level = gpu::separatingLevel(*m_document.grid(), name);
        setText(tr("level %1, by %2").arg(format::significant(m_level), QString::fromStdString(name)));
    }

    static constexpr const char *kRule = "threshold-by", *kLevel = "threshold", *kGiven = "percent";
    ParameterState& m_state;
    Document& m_document;
    double m_level = 0;
};

/// The tone curve as it is drawn, and the level that was found.
class ElementwiseLens : public Lens {
public:
    std::vector<FormPart> editors(RequestState& request, const Refuse& refuse, QWidget* parent) const override {
        return {{"points", new CurveEditor(request, refuse, parent)},
                {"threshold-by", new FoundLevel(request, parent)}};
    }
};

}  // namespace

WARPLENS_LENS_OF(elementwise, ElementwiseLens)

}  // namespace warplens::gui
