// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/lesson_chart.hpp"

#include "gpu/core/registry.hpp"
#include "gui/theme/fonts.hpp"
#include "gui/theme/glyphs.hpp"
#include "gui/theme/metrics.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kEdge = 24, kGlyph = 20, kLeastRow = 25, kMostRow = 42, kLeastLines = 190;

std::optional<gpu::Idea> ideaOf(const gpu::Lesson& lesson, const gpu::LessonMeasure& measure) {
    if (measure.variant.empty()) return std::nullopt;
    const std::string& family =
        measure.recording ? measure.recording->family : lesson.runs[static_cast<std::size_t>(measure.run)].family;
    return gpu::variantOf(gpu::familyOf(family), measure.variant).idea;
}

}  // namespace

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

QSize LessonChart::minimumSizeHint() const { return {400, 200}; }

QSize LessonChart::sizeHint() const { return {700, 500}; }

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
        painter.setFont(bold);
        painter.setPen(colour(Role::text1));
        painter.drawText(QRectF(kEdge, y, width() - 2 * kEdge, row), Qt::AlignLeft | Qt::AlignVCenter, group.title);
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
            painter.setFont(plain);
            painter.setPen(colour(Role::text1));
            painter.drawText(QRectF(kEdge + mark, y, names + 2, row), Qt::AlignLeft | Qt::AlignVCenter, bar.label);
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
