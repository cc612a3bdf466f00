// SPDX-License-Identifier: Apache-2.0
#include "gui/views/lesson_steps.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/tokens.hpp"

#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kDisc = 24, kNear = 8, kFar = 12;
constexpr double kLine = 32, kShortLine = 12;  // from a step to the next, where there is room and where there is little

}  // namespace

LessonSteps::LessonSteps(QStringList names, QWidget* parent) : QWidget(parent), m_names(std::move(names)) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setCurrent(0);
}

void LessonSteps::setCurrent(int step) {
    m_current = step;
    setAccessibleName(tr("Step %1 of %2: %3").arg(step + 1).arg(m_names.size()).arg(m_names.value(step)));
    update();
}

QSize LessonSteps::sizeHint() const {
    const QFontMetricsF metrics(projectorFont(TextSize::title));
    double width = 0;
    for (const QString& name : m_names) width += kDisc + kNear + metrics.horizontalAdvance(name) + 2 * kFar + kLine;
    return {static_cast<int>(std::ceil(width - 2 * kFar - kLine)), 44};
}

QSize LessonSteps::minimumSizeHint() const {
    return sizeHint() - QSize(static_cast<int>((kLine - kShortLine) * static_cast<double>(m_names.size() - 1)), 0);
}

void LessonSteps::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(projectorFont(TextSize::title));
    const double line = kLine - (sizeHint().width() - width()) / static_cast<double>(m_names.size() - 1);
    double x = 0;
    for (int i = 0; i < m_names.size(); ++i) {
        const QRectF disc(x, (height() - kDisc) / 2, kDisc, kDisc);
        const bool done = i < m_current, now = i == m_current;
        painter.setPen(QPen(colour(now ? Role::accent : Role::text2), 2));
        painter.setBrush(now    ? QBrush(colour(Role::accentFill))
                         : done ? QBrush(colour(Role::text2))
                                : QBrush(Qt::NoBrush));
        painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
        if (done) {
            QPainterPath tick(disc.topLeft() + QPointF(6.5, 12.5));
            tick.lineTo(disc.topLeft() + QPointF(10.5, 16.5));
            tick.lineTo(disc.topLeft() + QPointF(17.5, 8));
            painter.setPen(QPen(colour(Role::strip), 2.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(tick);
        } else {
            QFont number = projectorFont(TextSize::title);
            number.setPixelSize(16);  // the disc is for a projector already
            painter.setFont(number);
            painter.setPen(colour(now ? Role::onAccent : Role::text2));
            painter.drawText(disc, Qt::AlignCenter, QString::number(i + 1));
        }
        x += kDisc + kNear;
        painter.setFont(projectorFont(now ? TextSize::title : TextSize::body));
        painter.setPen(colour(now ? Role::text1 : Role::text2));
        // A name has room for bold letters; the line begins where the letters end.
        const double wide = metrics.horizontalAdvance(m_names[i]),
                     used = QFontMetricsF(painter.font()).horizontalAdvance(m_names[i]);
        painter.drawText(QRectF(x, 0, wide, height()), Qt::AlignLeft | Qt::AlignVCenter, m_names[i]);
        if (i + 1 < m_names.size()) {
            painter.setPen(QPen(colour(done ? Role::text2 : Role::text3), 2));
            painter.drawLine(QPointF(x + used + kFar, disc.center().y()),
                             QPointF(x + wide + kFar + line, disc.center().y()));
        }
        x += wide + 2 * kFar + line;
    }
}

}  // namespace warplens::gui
