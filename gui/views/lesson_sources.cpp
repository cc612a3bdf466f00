// SPDX-License-Identifier: Apache-2.0
#include "gui/views/lesson_sources.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"

#include <QPainter>

namespace warplens::gui {

namespace {
constexpr double kMark = kGlyphBox.plain() * kProjectorType, kBetween = kGap.plain();
}

LessonSources::LessonSources(QWidget* parent) : QWidget(parent) {}

void LessonSources::setSources(const QString& recorded, const QString& counted) {
    m_problem.clear();
    m_lines.clear();
    if (!recorded.isEmpty()) m_lines.push_back({recorded, Origin::recorded});
    if (!counted.isEmpty()) m_lines.push_back({counted, Origin::counted});
    QStringList all;
    for (const Line& line : m_lines) all << tr("%1 (%2)").arg(line.words, originName(line.origin));
    say(all.join('\n'));
}

void LessonSources::setProblem(const QString& problem) {
    m_lines.clear();
    m_problem = problem;
    say(problem);
}

void LessonSources::say(const QString& all) {
    setToolTip(all);
    setAccessibleName(all);
    update();
}

void LessonSources::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(projectorFont(TextSize::caption));
    painter.setPen(colour(Role::text1));
    painter.drawText(rect(), Qt::AlignVCenter | Qt::TextWordWrap, m_problem);
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    double y = (height() - line * static_cast<double>(m_lines.size())) / 2;
    for (const Line& source : m_lines) {
        const QString words = metrics.elidedText(source.words, Qt::ElideRight, width() - kMark - kBetween);
        painter.drawText(QRectF(0, y, width(), line), Qt::AlignLeft | Qt::AlignVCenter, words);
        drawOriginGlyph(painter,
                        QRectF(metrics.horizontalAdvance(words) + kBetween, y + (line - kMark) / 2, kMark, kMark),
                        source.origin);
        y += line;
    }
}

}  // namespace warplens::gui
