// SPDX-License-Identifier: Apache-2.0
#include "gui/views/lesson_steps.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/tokens.hpp"

#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kDisc = 24, kBetween = 20, kNear = 8;

}  // namespace

LessonSteps::LessonSteps(QStringList names, QWidget* parent) : QWidget(parent), m_names(std::move(names)) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
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
    for (const QString& name : m_names) width += kDisc + kNear + metrics.horizontalAdvance(name) + kBetween;
    return {static_cast<int>(std::ceil(width)), 44};
}

QSize LessonSteps::minimumSizeHint() const {
    return sizeHint();
}

void LessonSteps::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(projectorFont(TextSize::title));
    double x = 0;
    for (int i = 0; i < m_names.size(); ++i) {
        const QRectF disc(x, (height() - kDisc) / 2, kDisc, kDisc);
        const bool done = i < m_current, now = i == m_current;
        painter.setPen(QPen(colour(now ? Role::accent : Role::text2), 2));
        painter.setBrush(now ? QBrush(colour(Role::accentFill)) : QBrush(Qt::NoBrush));
        painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
        if (done) {
            QPainterPath tick(disc.topLeft() + QPointF(6.5, 12.5));
            tick.lineTo(disc.topLeft() + QPointF(10.5, 16.5));
            tick.lineTo(disc.topLeft() + QPointF(17.5, 8));
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
        const double wide = metrics.horizontalAdvance(m_names[i]);
        painter.drawText(QRectF(x, 0, wide, height()), Qt::AlignLeft | Qt::AlignVCenter, m_names[i]);
        x += wide + kBetween;
    }
}

}  // namespace warplens::gui
