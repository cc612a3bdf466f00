// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/plot/plot_data.hpp"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kLegendRow{18};
constexpr double kBeside = 6;  // pixels between an axis and its numbers

template <class... Visit>
struct Overloaded : Visit... {
    using Visit::operator()...;
};

/// Of finite values; of positive ones where a logarithm is taken.
struct Extent {
    bool positive = false;
    double low = std::numeric_limits<double>::quiet_NaN(), high = low;

    void add(double value) {
        if (!std::isfinite(value) || (positive && !(value > 0))) return;
        low = std::isnan(low) ? value : std::min(low, value);
        high = std::isnan(high) ? value : std::max(high, value);
    }
};

void addTo(Extent& x, Extent& y, const PlotMark& mark) {
    const auto points = [&](const QPolygonF& at) {
        for (const QPointF& point : at) x.add(point.x()), y.add(point.y());
    };
    std::visit(
        Overloaded{[&](const LineMark& line) { points(line.at); }, [&](const PointMark& dots) { points(dots.at); },
                   [&](const WhiskerMark& intervals) {
                       for (const auto& one : intervals.whiskers) x.add(one.at), y.add(one.low), y.add(one.high);
                   },
                   [&](const BarMark& bars) {
                       for (const auto& bar : bars.bars)
                           x.add(bar.from), x.add(bar.to), y.add(bar.foot), y.add(bar.top);
                   },
                   [&](const BandMark& band) { x.add(band.from), x.add(band.to); },
                   [&](const RuleMark& rule) { (rule.upright ? x : y).add(rule.at); }, [](const auto&) {}},
        mark);
}

double wide(const QFont& font, const QString& text) { return QFontMetricsF(font).horizontalAdvance(text); }

double widest(const PlotAxis& axis, const Scale& scale) {
    const QFont font = textFont(axis.size);
    double most = 0;
    for (const QString& text : axis.categories) most = std::max(most, wide(font, text));
    if (axis.kind != ScaleKind::category && !axis.bare)
        for (const double tick : ticksOf(axis, scale)) most = std::max(most, wide(font, axis.text(tick)));
    return most;
}

Scale scaleOf(const PlotAxis& axis, double from, double to) {
    return axis.kind == ScaleKind::category ? Scale(axis.kind, 0, static_cast<double>(axis.categories.size()), from, to)
                                            : Scale(axis.kind, axis.low, axis.high, from, to, axis.unit);
}

double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

constexpr double kReach = 40;  // pixels, to a point

}  // namespace

QColor PlotInk::colour() const {
    const auto between = [](const Between& both) {
        const QColor from = gui::colour(both.from), to = gui::colour(both.to);
        const auto mixed = [&](int a, int b) { return static_cast<int>(std::lround(a + both.share * (b - a))); };
        return QColor(mixed(from.red(), to.red()), mixed(from.green(), to.green()), mixed(from.blue(), to.blue()));
    };
    return std::visit(
        Overloaded{[&](const Between& both) { return between(both); }, [](const QColor& itself) { return itself; },
                   [](auto named) { return gui::colour(named); }},
        what);
}

void setRanges(PlotData& plot) {
    Extent x{.positive = plot.x.kind == ScaleKind::logarithmic}, y{.positive = plot.y.kind == ScaleKind::logarithmic};
    for (const PlotMark& mark : plot.marks)
        if (const auto* line = std::get_if<LineMark>(&mark); line == nullptr || !line->second) addTo(x, y, mark);
    const auto set = [](PlotAxis& axis, const Extent& extent) {
        if (std::isnan(axis.low)) axis.low = std::isnan(axis.high) ? extent.low : std::min(extent.low, axis.high);
        if (std::isnan(axis.high)) axis.high = extent.high;
    };
    set(plot.x, x);
    set(plot.y, y);
}

QString wholeNumber(double value) { return format::integer(std::llround(value)); }

QString titleOf(const PlotAxis& axis, double room) {
    const bool fits = axis.shortTitle.isEmpty() || wide(textFont(TextSize::caption), axis.title) <= room;
    return fits ? axis.title : axis.shortTitle;
}

std::vector<double> ticksOf(const PlotAxis& axis, const Scale& scale) {
    std::vector<double> ticks = axis.ticks.empty() ? scale.ticks(Length(axis.apart)) : axis.ticks;
    if (axis.whole) std::erase_if(ticks, [](double tick) { return tick != std::round(tick); });
    if (axis.powers)
        std::erase_if(ticks, [](double tick) {
            const double exponent = std::log10(tick);
            return std::abs(exponent - std::round(exponent)) > 1e-9;
        });
    return ticks;
}

std::vector<std::pair<QString, const PlotMark*>> namesOf(const PlotData& plot) {
    std::vector<std::pair<QString, const PlotMark*>> names;
    for (const PlotMark& mark : plot.marks)
        if (const auto* line = std::get_if<LineMark>(&mark); line != nullptr && !line->name.isEmpty())
            names.emplace_back(line->name, &mark);
    return names;
}

PlotPlaces placesIn(const QRectF& box, const PlotData& plot) {
    const auto names = namesOf(plot);
    double above = plot.top, below = plot.x.title.isEmpty() ? Length(22) : Length(40);
    if (!plot.head.isEmpty()) above = std::max<double>(above, kRowHeight + kGap);
    if (plot.x.size != TextSize::caption) below += kGap;
    double right = plot.right;
    if (plot.legend == LegendPlace::below)
        below += (static_cast<int>(std::max<std::size_t>(1, names.size())) + 1) / 2 * kLegendRow;
    if (plot.legend == LegendPlace::ends)
        for (const auto& [name, mark] : names)
            right = std::max(right, wide(textFont(TextSize::body), name) + kGlyphBox + 3.0 * kGap);
    PlotPlaces places;
    const double top = box.top() + above, bottom = std::max(top + 1, box.bottom() - below);
    places.y = scaleOf(plot.y, plot.y.kind == ScaleKind::category ? top : bottom,
                       plot.y.kind == ScaleKind::category ? bottom : top);
    if (plot.second) places.second = scaleOf(*plot.second, bottom, top);
    const double beside = plot.y.bare ? 0 : widest(plot.y, places.y) + kBeside + kGap;
    const double title = plot.y.title.isEmpty() ? 0 : QFontMetricsF(textFont(TextSize::caption)).height() + kGap;
    const double left = box.left() + std::max<double>(plot.left, beside + title);
    places.area = QRectF(left, top, std::max(1.0, box.right() - right - left), bottom - top);
    places.x = scaleOf(plot.x, left, places.area.right());
    places.legendTop = bottom + (plot.x.title.isEmpty() ? Length(22) : Length(40));
    return places;
}

QRectF PlotPlaces::band(double column) const {
    const double left = x.pixel(column - 0.5), right = x.pixel(column + 0.5);
    return {left, area.top(), right - left, area.height()};
}

QRectF PlotPlaces::cell(QPointF at) const {
    QRectF box = band(at.x());
    box.setTop(y.pixel(at.y() - 0.5));
    box.setBottom(y.pixel(at.y() + 0.5));
    return box;
}

int lineOf(const PlotChoices& choices, int choice) {
    const auto next = std::ranges::upper_bound(choices.lineStarts, choice);
    return std::max(0, static_cast<int>(next - choices.lineStarts.begin()) - 1);
}

int choiceAt(const PlotPlaces& places, const PlotData& plot, QPointF place, int line) {
    const PlotChoices& choices = plot.choices;
    if (choices.by == PlotChoices::By::nobody || choices.at.isEmpty()) return -1;
    if (choices.by == PlotChoices::By::column) {
        // The nearest of points that rise: the one not left of the place, or the one before.
        const double value = places.x.value(std::clamp(place.x(), places.area.left(), places.area.right()));
        const auto after = std::ranges::lower_bound(choices.at, value, {}, &QPointF::x);
        if (after == choices.at.begin()) return 0;
        const int i = static_cast<int>(after - choices.at.begin());
        if (after == choices.at.end()) return i - 1;
        return value - choices.at[i - 1].x() < choices.at[i].x() - value ? i - 1 : i;
    }
    if (choices.by == PlotChoices::By::cell && !places.area.contains(place)) return -1;
    int best = -1;
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < choices.size(); ++i) {
        if (line >= 0 && lineOf(choices, i) != line) continue;
        const QPointF at = places.place(choices.at[i]);
        if (choices.by == PlotChoices::By::cell && !places.cell(choices.at[i]).contains(place)) continue;
        const double away = line >= 0 ? std::abs(at.x() - place.x()) : distance(at, place);
        if (!(away < nearest)) continue;
        nearest = away;
        best = i;
    }
    return choices.by == PlotChoices::By::point && line < 0 && nearest > kReach ? -1 : best;
}

int choiceByKey(const PlotData& plot, int chosen, int key) {
    const PlotChoices& choices = plot.choices;
    const int across = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    const int down = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    const bool cells = choices.by == PlotChoices::By::cell;
    if (choices.by == PlotChoices::By::nobody || choices.at.isEmpty()) return -1;
    if (across == 0 && (down == 0 || !cells)) return -1;
    const auto columns = std::max(1, static_cast<int>(plot.x.categories.size()));
    const int to = chosen + across + (cells ? columns * down : 0);
    if (chosen < 0) return across < 0 ? choices.size() - 1 : 0;
    const bool inside = to >= 0 && to < choices.size() && (!cells || down != 0 || to / columns == chosen / columns) &&
                        (choices.lineStarts.empty() || lineOf(choices, to) == lineOf(choices, chosen));
    return inside ? to : chosen;
}

namespace {

QString field(QString text) {
    if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')) return text;
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

/// As many digits as there are; nothing for what is not finite.
QString plain(double value) { return std::isfinite(value) ? QString::number(value, 'g', 17) : QString(); }

class CsvRows {
public:
    explicit CsvRows(const PlotData& plot) : m_plot(plot) {
        m_rows << QStringLiteral("kind,series,x,y,to_x,to_y,text");
    }
    void add(const char* kind, const QString& series, const QString& x, const QString& y, const QString& toX = {},
             const QString& toY = {}, const QString& text = {}) {
        m_rows << QStringList{QString::fromUtf8(kind), field(series), field(x), field(y), toX, toY, field(text)}.join(
            u',');
    }
    QString x(double value) const { return at(m_plot.x, value); }
    QString y(double value) const { return at(m_plot.y, value); }
    QString text() const { return m_rows.join(u'\n') + u'\n'; }

private:
    static QString at(const PlotAxis& axis, double value) {
        return axis.kind == ScaleKind::category ? axis.categories.value(static_cast<int>(std::lround(value)))
                                                : plain(value);
    }
    const PlotData& m_plot;
    QStringList m_rows;
};

}  // namespace

QString csvOf(const PlotData& plot) {
    CsvRows rows(plot);
    const auto points = [&](const char* kind, const QString& name, const QPolygonF& at) {
        for (const QPointF& point : at) rows.add(kind, name, rows.x(point.x()), rows.y(point.y()));
    };
    const auto visit = Overloaded{
        [&](const LineMark& line) { points("line", line.name, line.at); },
        [&](const PointMark& dots) { points("point", dots.name, dots.at); },
        [&](const WhiskerMark& mark) {
            for (const auto& one : mark.whiskers)
                rows.add("interval", mark.name, rows.x(one.at), plain(one.low), rows.x(one.at), plain(one.high));
        },
        [&](const BarMark& mark) {
            for (const auto& bar : mark.bars)
                rows.add("bar", mark.name, plain(bar.from), plain(bar.foot), plain(bar.to), plain(bar.top));
        },
        [&](const BandMark& band) { rows.add("band", band.name, plain(band.from), {}, plain(band.to)); },
        [&](const RuleMark& rule) {
            rows.add("rule", rule.name, rule.upright ? plain(rule.at) : QString(),
                     rule.upright ? QString() : plain(rule.at));
        },
        [&](const CellMark& cell) {
            rows.add("cell", cell.name, rows.x(cell.column), rows.y(cell.row), {}, {},
                     QStringList{cell.figure, cell.detail}.join(u' ').trimmed());
        },
        [&](const TextMark& text) {
            rows.add("text", {}, rows.x(text.at.x()), rows.y(text.at.y()), {}, {}, text.text);
        },
        [&](const StatusAtFoot& status) {
            rows.add("status", {}, rows.x(status.at), {}, {}, {}, stateName(status.state));
        }};
    for (const PlotMark& mark : plot.marks) std::visit(visit, mark);
    return rows.text();
}

}  // namespace warplens::gui
