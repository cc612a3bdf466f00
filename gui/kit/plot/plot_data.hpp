// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/scale.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QColor>
#include <QPolygonF>
#include <QString>
#include <QStringList>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace warplens::gui {

/// A colour of the theme, asked for when it is painted: of a role, of an idea, between two roles, or itself.
struct PlotInk {
    struct Between {
        Role from, to;
        double share;
    };
    PlotInk(Role role) : what(role) {}
    PlotInk(gpu::Idea idea) : what(idea) {}
    PlotInk(Between between) : what(between) {}
    PlotInk(QColor colour) : what(colour) {}
    QColor colour() const;

    std::variant<Role, gpu::Idea, Between, QColor> what;
};

struct PlotAxis {
    ScaleKind kind = ScaleKind::linear;
    /// Not a number: as far as the marks go.
    double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
    double unit = 1;           ///< of a symlog scale
    QStringList categories{};  ///< of a category scale
    QString title{};
    QString shortTitle{};  ///< where the title has no room
    QString end{};         ///< right of the last number, in its row: "12 steps"
    int apart = 64;        ///< pixels between ticks, at least, at the plain size of type
    bool whole = false;    ///< no ticks between whole numbers
    bool powers = false;   ///< none but powers of ten
    bool grid = false;
    bool bare = false;             ///< without numbers
    std::vector<double> ticks{};   ///< these; none: round ones
    std::vector<double> strong{};  ///< besides, in the accent: round ones make room for them
    QString (*text)(double) = format::value;
    TextSize size = TextSize::caption;
};

/// Points joined by straight lines, or by steps; a gap where one is not finite.
struct LineMark {
    QString name{};
    QPolygonF at{};
    PlotInk ink = Role::text1;
    double width = 2.4;  ///< pixels, twice as wide in projector mode
    QList<qreal> dashes{};
    bool stepped = false;
    bool peaks = false;               ///< of points closer than pixels the highest alone
    bool halo = false;                ///< apart from what it crosses
    bool second = false;              ///< over the second vertical axis
    std::optional<PlotInk> fill{};    ///< down to the foot
    std::optional<gpu::Idea> idea{};  ///< whose shape stands in the legend
    bool strong = true;               ///< in front of those that are not
};

/// The shape of an idea at each point.
struct PointMark {
    QString name{};
    QPolygonF at{};
    gpu::Idea idea{};
    double size = 14;
    std::optional<PlotInk> ink{};  ///< discs of this colour instead
};

/// Upright intervals: those of a measurement.
struct WhiskerMark {
    QString name{};
    struct Whisker {
        double at, low, high;
    };
    std::vector<Whisker> whiskers{};
    PlotInk ink = Role::text1;
};

struct BarMark {
    QString name{};
    struct Bar {
        double from, to, foot, top;
    };
    std::vector<Bar> bars{};
    PlotInk ink = Role::bars;
    std::optional<PlotInk> outline{};
};

/// A stretch of the horizontal axis, from top to bottom.
struct BandMark {
    QString name{};
    double from = 0, to = 0;
    PlotInk ink = Role::selection;
    bool handles = false;  ///< by which its ends are dragged
};

/// A line from one end of the plot to the other.
struct RuleMark {
    QString name{};
    double at = 0;
    bool upright = true;
    PlotInk ink = Role::accent;
    double width = 1.6;
};

/// A cell of two category scales. What has no room in it goes: the detail first, then the name, whose shapes and colour
/// stay; in a low cell the figure stands in the name's place.
struct CellMark {
    int column = 0, row = 0;
    PlotInk ink = Role::dock;
    std::optional<Role> words{};     ///< none: whichever of black and white is read better
    std::vector<gpu::Idea> ideas{};  ///< whose shapes stand before the name
    bool plainShapes = false;        ///< in the colour of the words
    QString name{}, figure{}, detail{};
    std::optional<Origin> origin{};
};

/// Words at a place.
struct TextMark {
    QPointF at;
    QString text;
    Role ink = Role::text2;
};

/// A status glyph at the foot.
struct StatusAtFoot {
    double at = 0;
    ResultState state{};
};

using PlotMark =
    std::variant<LineMark, PointMark, WhiskerMark, BarMark, BandMark, RuleMark, CellMark, TextMark, StatusAtFoot>;

/// What mouse, arrow keys, tooltip and screen reader choose among.
struct PlotChoices {
    enum class By {
        nobody,
        column,  ///< the nearest across
        cell,    ///< the nearest across and down, row by row
        point    ///< the nearest within reach; along the line that is held the nearest across
    };
    By by = By::nobody;
    bool told = false;  ///< by the tooltip alone: what is chosen follows something else
    /// Rising across, but for points, which rise within their line.
    QPolygonF at{};
    std::vector<int> lineStarts{};  ///< of points: where each line begins; none: one line
    std::function<QString(int)> spoken{};
    int size() const { return static_cast<int>(at.size()); }
};

/// How the one chosen is shown.
enum class Pointer { none, rule, band, frame, ring, callout };

enum class LegendPlace {
    none,
    below,  ///< in rows of two
    ends,   ///< shapes and names at the right edge, moved apart
    beside  ///< names beside the last points
};

/// Everything a plot shows.
struct PlotData {
    QString head{};  ///< above, left
    std::optional<Origin> origin{};
    QString note{};              ///< in the plot, right above
    bool speaks = false;         ///< what is said of the one chosen stands above, right
    QString empty{};             ///< in place of marks, where there are none
    bool axesWhenEmpty = false;  ///< and the axes with it
    PlotAxis x{}, y{};
    std::optional<PlotAxis> second{};  ///< right
    bool ground = false;               ///< on the colour of docks, whatever is behind
    bool faded = false;                ///< no longer true
    bool foot = false;                 ///< a stronger line below
    std::vector<PlotMark> marks{};
    LegendPlace legend = LegendPlace::none;
    PlotChoices choices{};
    Pointer pointer = Pointer::none;
    QString (*pointerText)(double) = nullptr;  ///< its value, beside it
    /// At least, around the plot; what stands there takes more where it needs it.
    Length left{0}, top{8}, right{14};
    Length leastHeight{0};  ///< what is lower shows nothing
    QString tip{};          ///< where nothing is to be chosen
    QString spoken{};       ///< in a few words, for a screen reader

    bool isEmpty() const { return marks.empty(); }
};

/// Gives axes that have no range the one of the marks.
void setRanges(PlotData& plot);

/// Where things are in a rectangle.
struct PlotPlaces {
    QRectF area;
    Scale x, y, second;
    double legendTop = 0;
    QPointF place(QPointF value) const { return {x.pixel(value.x()), y.pixel(value.y())}; }
    /// Of a cell, or of a column.
    QRectF band(double column) const;
    QRectF cell(QPointF at) const;
};
PlotPlaces placesIn(const QRectF& box, const PlotData& plot);

/// 8,192; for an axis.
QString wholeNumber(double value);
/// As much of the title as there is room for.
QString titleOf(const PlotAxis& axis, double room);
std::vector<double> ticksOf(const PlotAxis& axis, const Scale& scale);
/// Those of lines, in their order.
std::vector<std::pair<QString, const PlotMark*>> namesOf(const PlotData& plot);

/// `chosen`: -1, none.
void paintPlot(QPainter& painter, const QRectF& box, const PlotData& plot, int chosen);

/// The choice at a place; -1: none there. `line`: that of the choices held, where they are points; -1: none.
int choiceAt(const PlotPlaces& places, const PlotData& plot, QPointF place, int line = -1);
int lineOf(const PlotChoices& choices, int choice);
/// The one that an arrow key leads to; `chosen` itself at the end, -1 for other keys.
int choiceByKey(const PlotData& plot, int chosen, int key);

/// The values of all marks, a row each: kind, series, x, y, to x, to y, text.
QString csvOf(const PlotData& plot);

}  // namespace warplens::gui
