// SPDX-License-Identifier: Apache-2.0
#include "gui/lessons/lesson_chart.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/label_placement.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/plot/scale.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warplens::gui {

namespace {

constexpr double kMark = 20, kLine = 4;
constexpr std::size_t kLeastPoints = 3;

/// The number a parameter has, of those that hold one.
std::optional<double> numberOf(const gpu::Parameter::Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
}

/// The one parameter whose values differ among recordings; empty: none, or several.
std::string varied(const std::vector<const gpu::LessonMeasure*>& measures) {
    std::map<std::string, std::set<std::string>> seen;
    for (const gpu::LessonMeasure* measure : measures)
        for (const auto& [id, value] : measure->recording->parameters) seen[id].insert(gpu::format(value));
    std::string found;
    for (const auto& [id, values] : seen) {
        if (values.size() < 2) continue;
        if (!found.empty()) return {};
        found = id;
    }
    return found;
}

bool below(const gpu::LessonValue& a, const gpu::LessonValue& b) { return a.high < b.low; }

QString tr(const char* text) { return QCoreApplication::translate("LessonLines", text); }

constexpr double kEdge = 24, kGlyph = 20, kLeastRow = 25, kMostRow = 42, kLeastLines = 190;

std::optional<gpu::Idea> ideaOf(const gpu::Lesson& lesson, const gpu::LessonMeasure& measure) {
    if (measure.variant.empty()) return std::nullopt;
    const std::string& family =
        measure.recording ? measure.recording->family : lesson.runs[static_cast<std::size_t>(measure.run)].family;
    return gpu::variantOf(gpu::familyOf(family), measure.variant).idea;
}

}  // namespace

std::optional<LessonLines> linesOf(const gpu::Lesson& lesson, const std::string& figure,
                                   const gpu::LessonValues& values) {
    std::vector<const gpu::LessonMeasure*> measures;
    for (const gpu::LessonMeasure& measure : lesson.measures)
        if (measure.figure == figure && measure.recording && !measure.variant.empty())
            measures.push_back(&measure);
        else if (measure.figure == figure)
            return std::nullopt;
    const std::string parameter = varied(measures);
    if (parameter.empty()) return std::nullopt;
    LessonLines lines{.parameter = QString::fromStdString(parameter), .at = {}, .series = {}};
    std::map<std::string, std::map<double, gpu::LessonValue>> byVariant;
    std::vector<const gpu::LessonMeasure*> firsts;
    for (const gpu::LessonMeasure* measure : measures) {
        const auto set = measure->recording->parameters.find(parameter);
        const auto at = set == measure->recording->parameters.end() ? std::nullopt : numberOf(set->second);
        if (!at) return std::nullopt;
        auto& points = byVariant[measure->variant];
        if (points.empty()) firsts.push_back(measure);
        if (!points.emplace(*at, values.at(measure->id)).second) return std::nullopt;
    }
    for (const gpu::LessonMeasure* first : firsts) {
        const auto& points = byVariant[first->variant];
        const gpu::Variant& variant = gpu::variantOf(gpu::familyOf(first->recording->family), first->variant);
        LessonLines::Series series{.name = QString::fromStdString(variant.id), .idea = variant.idea, .values = {}};
        std::vector<double> at;
        for (const auto& [x, value] : points) {
            at.push_back(x);
            series.values.push_back(value);
        }
        if (lines.series.empty()) lines.at = at;
        if (at != lines.at) return std::nullopt;
        lines.series.push_back(std::move(series));
    }
    if (lines.series.size() < 2 || lines.at.size() < kLeastPoints) return std::nullopt;
    return lines;
}

std::optional<LessonCrossing> crossingOf(const LessonLines& lines) {
    if (lines.series.size() != 2) return std::nullopt;
    const auto &a = lines.series[0].values, &b = lines.series[1].values;
    const std::size_t last = lines.at.size() - 1;
    const bool first = below(a[0], b[0]), second = below(b[0], a[0]);
    const std::size_t low = first ? 0 : 1;
    const auto lowIsBelow = [&](std::size_t i) { return first ? below(a[i], b[i]) : below(b[i], a[i]); };
    const auto highIsBelow = [&](std::size_t i) { return first ? below(b[i], a[i]) : below(a[i], b[i]); };
    if ((!first && !second) || !highIsBelow(last)) return std::nullopt;
    std::size_t until = 0, from = last;
    for (std::size_t i = 0; i <= last; ++i)
        if (lowIsBelow(i)) until = i;
    while (from > 0 && highIsBelow(from - 1)) --from;
    if (until >= from) return std::nullopt;
    const double atUntil = b[until].value - a[until].value, atFrom = b[from].value - a[from].value;
    const double share = atUntil / (atUntil - atFrom);
    return LessonCrossing{lines.at[until] + share * (lines.at[from] - lines.at[until]), low, 1 - low};
}

void paintLines(QPainter& painter, const QRectF& area, const LessonLines& lines) {
    const QFont plain = projectorFont(TextSize::caption), bold = projectorFont(TextSize::title);
    const QFontMetricsF small(plain), strong(bold);
    double most = 0, names = 0;
    for (const auto& series : lines.series) {
        for (const auto& value : series.values) most = std::max(most, value.value);
        names = std::max(names, strong.horizontalAdvance(series.name));
    }
    const double tick = roundStep(most / 4);
    double scale = 0;
    for (double y = 0; y <= most; y += tick) scale = std::max(scale, small.horizontalAdvance(format::value(y)));
    const QRectF box = area.adjusted(scale + 14, 4, -(names + kMark + 26), -(2 * small.height() + 6));
    // Room for a number above the highest point, and for the words on top of it.
    const double head = kMark + 2 * strong.height();
    const double top = most * (box.height() > 2 * head ? box.height() / (box.height() - head) : 2);
    const double first = lines.at.front(), last = lines.at.back(), margin = 30;
    const auto crossing = crossingOf(lines);
    const auto faster = [&](std::size_t which, bool broken) {
        return (broken ? tr("%1\nis faster") : tr("%1 is faster")).arg(lines.series[which].name);
    };
    // A crossing between the last points leaves its right side the words' room, in one line or in two, but not half the
    // chart.
    const double share = crossing ? (last - crossing->at) / (last - first) : 0;
    const auto rightFor = [&](const QString& text) {
        return std::max(margin, (small.boundingRect(QRectF(0, 0, 4096, 4096), Qt::AlignLeft, text).width() + 20 -
                                 share * (box.width() - margin)) /
                                    (1 - share));
    };
    double right = margin;
    bool twice = false;
    if (crossing) {
        const double one = rightFor(faster(crossing->after, false)), two = rightFor(faster(crossing->after, true));
        twice = one > box.width() / 4;
        if (!twice)
            right = one;
        else if (two <= box.width() / 3)
            right = two;
    }
    const auto x = [&](double at) {
        return box.left() + margin + (at - first) / (last - first) * (box.width() - margin - right);
    };
    const auto y = [&](double value) { return box.bottom() - value / top * box.height(); };

    if (crossing) {
        painter.fillRect(QRectF(QPointF(x(crossing->at), box.top()), box.bottomRight()), colour(Role::selection));
        painter.setPen(QPen(colour(Role::accent), 2.5, Qt::DashLine));
        painter.drawLine(QPointF(x(crossing->at), box.top()), QPointF(x(crossing->at), box.bottom()));
    }
    painter.setFont(plain);
    for (double value = 0; value <= top; value += tick) {
        painter.setPen(QPen(colour(value == 0 ? Role::text2 : Role::line), value == 0 ? 2 : 1.5));
        painter.drawLine(QPointF(box.left(), y(value)), QPointF(box.right(), y(value)));
        writeText(painter,
                  QRectF(area.left(), y(value) - small.height() / 2, box.left() - area.left() - 8, small.height()),
                  Qt::AlignRight | Qt::AlignVCenter, format::value(value), Role::text2);
    }
    for (const double at : lines.at)
        painter.drawText(QRectF(x(at) - 40, box.bottom() + 4, 80, small.height()), Qt::AlignCenter, format::value(at));
    painter.drawText(QRectF(box.left(), box.bottom() + 4 + small.height(), box.width(), small.height()),
                     Qt::AlignCenter, lines.parameter);
    std::vector<QRectF> taken;
    if (crossing) {
        const double at = x(crossing->at);
        const QString after = faster(crossing->after, twice), before = faster(crossing->before, false);
        const double beforeWide = small.horizontalAdvance(before);
        const QRectF words = small.boundingRect(QRectF(0, 0, 4096, 4096), Qt::AlignLeft, after);
        const auto say = [&](const QString& text, const QRectF& place, const QColor& behind) {
            taken.push_back(place);
            painter.fillRect(place, behind);
            writeText(painter, place, Qt::AlignCenter, text, Role::text1);
        };
        // What has no room on its side is told by the line ends alone.
        if (at + 12 + words.width() <= box.right())
            say(after, {at + 8, box.top(), words.width() + 4, words.height()}, colour(Role::selection));
        if (at - 10 - beforeWide > box.left())
            say(before, {at - 12 - beforeWide, box.top(), beforeWide + 4, small.height()}, colour(Role::dock));
    }

    std::vector<LabelledPoint> numbers;
    QStringList texts;
    for (const auto& series : lines.series) {
        QPolygonF line;
        for (std::size_t i = 0; i < lines.at.size(); ++i) {
            line << QPointF(x(lines.at[i]), y(series.values[i].value));
            texts << format::significant(series.values[i].value);
            // The higher line has its numbers above, the lower one below.
            const bool highest = std::ranges::none_of(
                lines.series, [&](const auto& other) { return other.values[i].value > series.values[i].value; });
            numbers.push_back({line.back(),
                               {strong.horizontalAdvance(texts.back()) + 6, strong.height()},
                               highest ? -M_PI / 2 : M_PI / 2});
        }
        painter.setPen(QPen(colour(series.idea), kLine, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(line);
    }
    std::vector<double> ends;
    for (const auto& series : lines.series) {
        for (std::size_t i = 0; i < lines.at.size(); ++i) {
            const QPointF at(x(lines.at[i]), y(series.values[i].value));
            // The line ends at the mark, so that its shape is seen; a mark that lies there already is not covered.
            const bool covers = std::any_of(lines.series.data(), &series, [&](const auto& other) {
                return std::fabs(y(other.values[i].value) - at.y()) < kMark;
            });
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour(Role::dock));
            if (!covers) painter.drawEllipse(at, kMark * 0.62, kMark * 0.62);
            drawShape(painter, QRectF(at - QPointF(kMark / 2, kMark / 2), QSizeF(kMark, kMark)), series.idea);
        }
        double end = y(series.values.back().value) - strong.height() / 2;
        for (const double other : ends)
            if (std::fabs(end - other) < strong.height() + 4)
                end = other + (end < other ? -1 : 1) * (strong.height() + 4);
        ends.push_back(end);
        const double left = box.right() + 12;
        drawShape(painter, QRectF(left, end + (strong.height() - kMark) / 2, kMark, kMark), series.idea);
        writeText(painter, QRectF(left + kMark + 8, end, names + 4, strong.height()), Qt::AlignLeft | Qt::AlignVCenter,
                  series.name, Role::text1, bold);
    }
    const auto places =
        placeLabels(numbers, kMark, QRectF(box.left(), area.top(), box.width(), box.height() + 4), taken);
    painter.setFont(bold);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]) continue;
        // Readable where it crosses a line.
        const bool after = crossing && places[i]->center().x() > x(crossing->at);
        QColor behind = colour(after ? Role::selection : Role::dock);
        behind.setAlphaF(0.75F);
        painter.fillRect(*places[i], behind);
        writeText(painter, *places[i], Qt::AlignCenter, texts[static_cast<int>(i)], Role::text1);
    }
}

LessonChart::LessonChart(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Numbers of the lesson"));
}

void LessonChart::setValues(const gpu::Lesson& lesson, const gpu::LessonValues& values) {
    m_groups.clear();
    QStringList spoken;
    for (const gpu::LessonMeasure& measure : lesson.measures) {
        const QString title = QString::fromUtf8(gpu::figureOf(measure.figure)->name);
        auto group = std::ranges::find(m_groups, title, &Group::title);
        if (group == m_groups.end()) group = m_groups.insert(m_groups.end(), {.title = title, .bars = {}});
        const gpu::LessonValue& value = values.at(measure.id);
        group->bars.push_back({QString::fromStdString(measure.label), value, ideaOf(lesson, measure)});
        group->most = std::max(group->most, value.value);
        spoken << QStringLiteral("%1, %2: %3 (%4)")
                      .arg(title, group->bars.back().label, QString::fromStdString(value.text),
                           originName(value.origin));
    }
    for (const gpu::LessonMeasure& measure : lesson.measures) {
        const auto group =
            std::ranges::find(m_groups, QString::fromUtf8(gpu::figureOf(measure.figure)->name), &Group::title);
        if (!group->lines && (group->lines = linesOf(lesson, measure.figure, values))) group->bars.clear();
    }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

int LessonChart::lines() const {
    return static_cast<int>(
        std::ranges::count_if(m_groups, [](const Group& group) { return group.lines.has_value(); }));
}

void LessonChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double rows = 0, names = 0, numbers = 0;
    const QFont plain = projectorFont(TextSize::caption), bold = projectorFont(TextSize::title);
    for (const Group& group : m_groups) {
        rows += 1.4 + static_cast<double>(group.bars.size());
        for (const Bar& bar : group.bars) {
            names = std::max(names, QFontMetricsF(plain).horizontalAdvance(bar.label));
            numbers = std::max(numbers, QFontMetricsF(bold).horizontalAdvance(QString::fromStdString(bar.value.text)));
        }
    }
    // Lines take what bars leave.
    const double forLines = lines() > 0 ? kLeastLines * lines() : 0;
    const double row = std::clamp((height() - 2.0 * kGap - forLines) / rows, kLeastRow, lines() > 0 ? 32.0 : kMostRow);
    const double linesHeight = lines() > 0 ? (height() - 2.0 * kGap - rows * row) / lines() : 0;
    const double mark = kGlyph + 8, left = kEdge + mark + names + 12, right = width() - kEdge - numbers - kGlyph - 18;
    double y = kGap;
    for (const Group& group : m_groups) {
        writeText(painter, QRectF(kEdge, y, width() - 2 * kEdge, row), Qt::AlignLeft | Qt::AlignVCenter, group.title,
                  Role::text1, bold);
        if (group.lines) {
            const double wide = QFontMetricsF(bold).horizontalAdvance(group.title);
            drawOriginGlyph(painter, QRectF(kEdge + wide + 8, y + (row - kGlyph) / 2, kGlyph, kGlyph),
                            group.lines->series.front().values.front().origin);
        }
        y += row;
        if (group.lines) {
            paintLines(painter, QRectF(kEdge, y, width() - 2 * kEdge, linesHeight), *group.lines);
            y += linesHeight;
        }
        for (const Bar& bar : group.bars) {
            const double middle = y + row / 2;
            if (bar.idea) drawShape(painter, QRectF(kEdge, middle - kGlyph / 2, kGlyph, kGlyph), *bar.idea);
            writeText(painter, QRectF(kEdge + mark, y, names + 2, row), Qt::AlignLeft | Qt::AlignVCenter, bar.label,
                      Role::text1, plain);
            const double share = group.most > 0 ? bar.value.value / group.most : 0;
            const QRectF box(left, y + row * 0.18, std::max(2.0, share * std::max(20.0, right - left)), row * 0.64);
            painter.fillRect(box, bar.idea ? colour(*bar.idea) : colour(Role::text3));
            painter.setFont(bold);
            const QString text = QString::fromStdString(bar.value.text);
            const double wide = QFontMetricsF(bold).horizontalAdvance(text);
            painter.drawText(QRectF(box.right() + 8, y, wide + 2, row), Qt::AlignLeft | Qt::AlignVCenter, text);
            drawOriginGlyph(painter, QRectF(box.right() + 14 + wide, middle - kGlyph / 2, kGlyph, kGlyph),
                            bar.value.origin);
            y += row;
        }
        y += 0.4 * row;
    }
}

}  // namespace warplens::gui
