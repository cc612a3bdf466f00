// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/label_placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace warplens::gui {

namespace {

constexpr int kDirections = 24;
constexpr double kGrid = 5;
constexpr double kSteps[] = {0, 8, 18, 30, 44, 60, 80, 104, 132};

/// The name's box in a direction from the mark, just clear of a circle of `radius`.
QRectF boxAt(const LabelledPoint& point, double angle, double radius) {
    const double x = std::cos(angle), y = std::sin(angle);
    const QPointF edge = point.at + QPointF(x, y) * radius;
    // The side of the box that looks at the mark goes with the direction.
    return {edge.x() - point.label.width() * (1 - x) / 2, edge.y() - point.label.height() * (1 - y) / 2,
            point.label.width(), point.label.height()};
}

QPointF nearest(const QRectF& box, QPointF to) {
    return {std::clamp(to.x(), box.left(), box.right()), std::clamp(to.y(), box.top(), box.bottom())};
}

/// A box by its sides: millions are compared, and QRectF's own comparison is a call that first puts sides in order.
struct Sides {
    double left = 0, top = 0, right = 0, bottom = 0;
    Sides(const QRectF& box)  // NOLINT: the same box
        : left(box.left()), top(box.top()), right(box.right()), bottom(box.bottom()) {}
    Sides(QPointF centre, double side)
        : left(centre.x() - side / 2),
          top(centre.y() - side / 2),
          right(centre.x() + side / 2),
          bottom(centre.y() + side / 2) {}
    bool meets(const Sides& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

using Boxes = std::vector<Sides>;

bool clear(const Boxes& all, const Sides& wanted) {
    return std::ranges::none_of(all, [&](const Sides& other) { return other.meets(wanted); });
}

/// Calls `visit` with small boxes along the way from a mark to a name that stands far from it, until one gives false;
/// whether none did. A name close by has no such boxes.
template <typename Visit>
bool alongLeader(const LabelledPoint& point, const QRectF& box, double mark, Visit visit) {
    const QPointF away = nearest(box, point.at) - point.at;
    const double length = std::hypot(away.x(), away.y());
    for (double at = mark; at < length - 2; at += 3)
        if (!visit(Sides(point.at + away * (at / length), 3))) return false;
    return true;
}

/// Those of `all` that a leader to the name could meet.
void gatherNear(const Boxes& all, const LabelledPoint& point, const QRectF& box, Boxes& near) {
    const QPointF end = nearest(box, point.at);
    const Sides way(QRectF(point.at, end).normalized().adjusted(-2, -2, 2, 2));
    std::ranges::copy_if(all, std::back_inserter(near), [&](const Sides& other) { return other.meets(way); });
}

}  // namespace

std::optional<QLineF> leaderTo(const QRectF& label, QPointF point, double mark) {
    const QPointF end = nearest(label, point), away = end - point;
    const double length = std::hypot(away.x(), away.y());
    if (length <= mark * 1.2) return std::nullopt;
    return QLineF(point + away * (0.6 * mark / length), end);
}

namespace {

using Places = std::vector<std::optional<QRectF>>;

/// One attempt: the points in an order, every name but the first's at least so far from its mark.
class Attempt {
public:
    Attempt(const std::vector<LabelledPoint>& points, double mark, const QRectF& area, const std::vector<QRectF>& taken)
        : m_points(points), m_mark(mark), m_area(area), m_texts(taken.begin(), taken.end()) {
        for (const LabelledPoint& point : points) m_marks.emplace_back(point.at, mark);
    }
    /// `across`: lines may cross what was taken before, too.
    Places place(const std::vector<std::size_t>& order, double away, bool across = false) {
        m_crossed = across ? m_texts.size() : 0;
        Places places(m_points.size());
        for (const std::size_t i : order) {
            const LabelledPoint& point = m_points[i];
            // In the middle of a crowd there is no way out but under another mark.
            std::optional<QRectF> place = nearTo(point, i == order.front() ? 0 : away);
            if (!place && point.led) place = anywhere(point);
            if (!place) continue;
            m_texts.emplace_back(*place);
            alongLeader(point, *place, m_mark, [this](const Sides& dot) {
                m_leaders.push_back(dot);
                return true;
            });
            places[i] = place;
        }
        return places;
    }

private:
    bool fits(const QRectF& box) const {
        return m_area.contains(box) && clear(m_texts, box) && clear(m_marks, box) && clear(m_leaders, box);
    }
    std::optional<QRectF> nearTo(const LabelledPoint& point, double away) const {
        Boxes near;
        const auto led = [&](const QRectF& box) {
            near.clear();
            for (const Boxes* all : {&m_texts, &m_marks, &m_leaders}) gatherNear(*all, point, box, near);
            return alongLeader(point, box, m_mark, [&](const Sides& dot) { return clear(near, dot); });
        };
        for (const double step : kSteps) {
            if (step < away && point.led) continue;
            if (step > 0 && !point.led) break;
            // From the direction wanted, which is the right where names are looked for, to both sides in turn.
            for (int i = 0; i < kDirections; ++i) {
                const double angle = point.first + (i % 2 == 0 ? 1 : -1) * ((i + 1) / 2) * 2 * M_PI / kDirections;
                const QRectF box = boxAt(point, angle, m_mark * 0.75 + 3 + step);
                if (fits(box) && led(box)) return box;
            }
        }
        return std::nullopt;
    }
    std::optional<QRectF> anywhere(const LabelledPoint& point) const {
        // A mark that stands on a text cannot be led away from it but over it.
        Boxes names(m_texts.begin() + static_cast<std::ptrdiff_t>(m_crossed), m_texts.end());
        std::erase_if(names, [own = Sides(point.at, m_mark)](const Sides& other) { return other.meets(own); });
        const auto free = [&](const Sides& dot) { return clear(names, dot); };
        std::optional<QRectF> found;
        double shortest = std::numeric_limits<double>::infinity();
        for (double y = m_area.top(); y + point.label.height() <= m_area.bottom(); y += kGrid)
            for (double x = m_area.left(); x + point.label.width() <= m_area.right(); x += kGrid) {
                const QRectF box(QPointF(x, y), point.label);
                const QPointF way = nearest(box, point.at) - point.at;
                const double length = std::hypot(way.x(), way.y());
                if (length >= shortest || !fits(box) || !alongLeader(point, box, m_mark, free)) continue;
                found = box;
                shortest = length;
            }
        return found;
    }

    const std::vector<LabelledPoint>& m_points;
    double m_mark;
    QRectF m_area;
    Boxes m_texts, m_leaders, m_marks;
    std::size_t m_crossed = 0;  ///< texts that a line may cross
};

}  // namespace

Places placeLabels(const std::vector<LabelledPoint>& points, double mark, const QRectF& area,
                   const std::vector<QRectF>& taken) {
    if (points.empty()) return {};
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Places best = Attempt(points, mark, area, taken).place(order, 0);
    const auto named = [](const Places& places) {
        return std::ranges::count_if(places, [](const auto& place) { return place.has_value(); });
    };
    // In a crowd the first names shut the others in: the outer marks go first, and names keep some distance.
    for (const bool across : {false, true})
        for (const QPointF from : {QPointF(1, 8), QPointF(-1, -8), QPointF(8, 1), QPointF(-8, -1)})
            for (const double away : {0.0, 18.0, 44.0, 80.0}) {
                if (named(best) == std::ssize(points)) return best;
                std::sort(order.begin() + 1, order.end(), [&](std::size_t a, std::size_t b) {
                    return QPointF::dotProduct(points[a].at, from) < QPointF::dotProduct(points[b].at, from);
                });
                Places places = Attempt(points, mark, area, taken).place(order, away, across);
                if (named(places) > named(best)) best = std::move(places);
            }
    return best;
}

const Places& LabelPlaces::of(std::vector<LabelledPoint> points, double mark, const QRectF& area,
                              std::vector<QRectF> taken) {
    if (points == m_points && mark == m_mark && area == m_area && taken == m_taken) return m_places;
    m_places = placeLabels(points, mark, area, taken);
    m_points = std::move(points);
    m_mark = mark;
    m_area = area;
    m_taken = std::move(taken);
    return m_places;
}

}  // namespace warplens::gui
