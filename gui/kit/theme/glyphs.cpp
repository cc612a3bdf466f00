// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme/glyphs.hpp"

#include "gui/kit/theme/fonts.hpp"

#include <QCoreApplication>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace warplens::gui {

namespace {

/// Paints in a square of 14 units, wherever and however large `box` is.
class Box {
public:
    Box(QPainter& painter, const QRectF& box) : m_painter(painter) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        const double side = std::min(box.width(), box.height());
        painter.translate(box.center());
        painter.scale(side / 14, side / 14);
    }
    ~Box() { m_painter.restore(); }
    Box(const Box&) = delete;
    Box& operator=(const Box&) = delete;

private:
    QPainter& m_painter;
};

QPen stroke(const QColor& colour, double width, Qt::PenCapStyle cap = Qt::RoundCap) {
    return QPen(colour, width, Qt::SolidLine, cap, Qt::RoundJoin);
}

QPolygonF regular(int corners, double radius, double turn) {
    QPolygonF polygon;
    for (int i = 0; i < corners; ++i) {
        const double angle = turn + 2 * std::numbers::pi * i / corners;
        polygon << QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return polygon;
}

QPainterPath letterPath(Origin origin) {
    QFont f = boldFont(TextSize::caption);
    f.setPixelSize(10);
    QPainterPath path;
    path.addText(0, 0, f, QString::fromLatin1(gpu::letterOf(origin)));
    const QRectF bounds = path.boundingRect();
    path.translate(-bounds.center());
    return path;
}

}  // namespace

QString originName(Origin origin) { return QString::fromLatin1(gpu::nameOf(origin)); }

QString originExplanation(Origin origin) {
    switch (origin) {
        case Origin::measured:
            return QCoreApplication::translate("Origin", "Measured: read off a clock or a result of this run.");
        case Origin::counted:
            return QCoreApplication::translate("Origin", "Counted: enumerated exactly, without a clock.");
        case Origin::modelled: return QCoreApplication::translate("Origin", "Modelled: follows from a formula.");
        case Origin::reported: return QCoreApplication::translate("Origin", "Reported: by the driver or the compiler.");
        case Origin::recorded:
            return QCoreApplication::translate("Origin",
                                               "Recorded: measured earlier on a named device, with its date.");
    }
    return {};
}

ResultState stateOf(const gpu::RunRecord& record) {
    switch (record.status) {
        case gpu::Status::ok:
            // A check that reached no value has verified nothing.
            return record.verification && record.verification->checkedShare > 0 ? ResultState::verified
                                                                                : ResultState::unverified;
        case gpu::Status::wrong: return ResultState::wrong;
        case gpu::Status::failed: return ResultState::failed;
        case gpu::Status::unsupported: return ResultState::unsupported;
    }
    return ResultState::failed;
}

QString stateName(ResultState state) {
    switch (state) {
        case ResultState::verified: return QCoreApplication::translate("ResultState", "verified");
        case ResultState::unverified: return QCoreApplication::translate("ResultState", "unverified");
        case ResultState::wrong: return QCoreApplication::translate("ResultState", "wrong");
        case ResultState::unsupported: return QCoreApplication::translate("ResultState", "unsupported");
        case ResultState::failed: return QCoreApplication::translate("ResultState", "failed");
    }
    return {};
}

void drawShape(QPainter& painter, const QRectF& box, gpu::Idea idea) {
    drawShape(painter, box, shapeOf(idea), colour(idea));
}

void drawShape(QPainter& painter, const QRectF& box, Shape shape, const QColor& ink) {
    const Box scaled(painter, box);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    switch (shape) {
        case Shape::disc: painter.drawEllipse(QPointF(), 4.4, 4.4); break;
        case Shape::ring:
            painter.setBrush(Qt::NoBrush);
            painter.setPen(stroke(ink, 2.4));
            painter.drawEllipse(QPointF(), 3.6, 3.6);
            break;
        case Shape::plus:
            painter.drawRect(QRectF(-5, -1.5, 10, 3));
            painter.drawRect(QRectF(-1.5, -5, 3, 10));
            break;
        case Shape::square: painter.drawRect(QRectF(-4.2, -4.2, 8.4, 8.4)); break;
        case Shape::frame:
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(ink, 2.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
            painter.drawRect(QRectF(-3.8, -3.8, 7.6, 7.6));
            break;
        case Shape::triangle: painter.drawPolygon(QPolygonF{{0, -5}, {5.2, 4.2}, {-5.2, 4.2}}); break;
        case Shape::diamond: painter.drawPolygon(QPolygonF{{0, -5.6}, {5.6, 0}, {0, 5.6}, {-5.6, 0}}); break;
        case Shape::bars:
            painter.drawRect(QRectF(-4.4, -4.8, 3.2, 9.6));
            painter.drawRect(QRectF(1.2, -4.8, 3.2, 9.6));
            break;
        case Shape::hexagon: painter.drawPolygon(regular(6, 5.2, 0)); break;
        case Shape::wedge: painter.drawPolygon(QPolygonF{{0, 5}, {5.2, -4.2}, {-5.2, -4.2}}); break;
        case Shape::chevron:
            painter.drawPolygon(QPolygonF{{-5.2, -4}, {0, 0.6}, {5.2, -4}, {5.2, 0.2}, {0, 4.8}, {-5.2, 0.2}});
            break;
        case Shape::cross:
            painter.drawPolygon(QPolygonF{{0, -2.2},
                                          {2.8, -5},
                                          {5, -2.8},
                                          {2.2, 0},
                                          {5, 2.8},
                                          {2.8, 5},
                                          {0, 2.2},
                                          {-2.8, 5},
                                          {-5, 2.8},
                                          {-2.2, 0},
                                          {-5, -2.8},
                                          {-2.8, -5}});
            break;
        case Shape::star:
            painter.drawPolygon(QPolygonF{{0, -5.6},
                                          {1.5, -1.9},
                                          {5.4, -1.7},
                                          {2.4, 0.8},
                                          {3.4, 4.7},
                                          {0, 2.5},
                                          {-3.4, 4.7},
                                          {-2.4, 0.8},
                                          {-5.4, -1.7},
                                          {-1.5, -1.9}});
            break;
        case Shape::target:
            painter.drawEllipse(QPointF(), 1.7, 1.7);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(stroke(ink, 1.6));
            painter.drawEllipse(QPointF(), 4.6, 4.6);
            break;
        case Shape::dash: painter.drawRect(QRectF(-5, -1.6, 10, 3.2)); break;
    }
}

void drawOriginGlyph(QPainter& painter, const QRectF& box, Origin origin, Role ink, Role background) {
    const Box scaled(painter, box);
    const bool round = origin == Origin::modelled || origin == Origin::recorded;
    const bool filled = origin == Origin::measured || origin == Origin::recorded;
    const QColor foreground = colour(ink);
    // A filled glyph is a little weaker than its letter's ground, so that a column of them does not shout.
    const QColor fill = filled ? colour(Role::text3) : QColor(Qt::transparent);
    painter.setBrush(filled ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.setPen(filled ? QPen(Qt::NoPen) : stroke(foreground, 1.2));
    const double half = filled ? 6.6 : 6.0;
    if (round) {
        painter.drawEllipse(QPointF(), half, half);
    } else {
        painter.drawRoundedRect(QRectF(-half, -half, 2 * half, 2 * half), 1.6, 1.6);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(filled ? colour(background) : foreground);
    painter.drawPath(letterPath(origin));
}

void drawStatusGlyph(QPainter& painter, const QRectF& box, ResultState state) {
    const Box scaled(painter, box);
    const QColor background = colour(Role::dock);
    painter.setPen(Qt::NoPen);
    switch (state) {
        case ResultState::verified: {
            painter.setBrush(colour(Role::verified));
            painter.drawEllipse(QPointF(), 6, 6);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(stroke(background, 1.7));
            painter.drawPolyline(QPolygonF{{-2.8, 0.2}, {-0.8, 2.3}, {3, -2.1}});
            break;
        }
        case ResultState::unverified: {
            QPen pen(colour(Role::text3), 1.6, Qt::CustomDashLine, Qt::FlatCap);
            pen.setDashPattern({1.7, 1.245});  // eight dashes a turn
            painter.setPen(pen);
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(QPointF(), 6, 6);
            break;
        }
        case ResultState::wrong:
            painter.setBrush(colour(Role::wrong));
            painter.drawPolygon(regular(8, 6.6, std::numbers::pi / 8));
            painter.setPen(stroke(background, 1.7));
            painter.drawLine(QPointF(-2.3, -2.3), QPointF(2.3, 2.3));
            painter.drawLine(QPointF(-2.3, 2.3), QPointF(2.3, -2.3));
            break;
        case ResultState::unsupported:
            painter.setBrush(Qt::NoBrush);
            painter.setPen(stroke(colour(Role::text3), 1.5));
            painter.drawRoundedRect(QRectF(-5.3, -5.3, 10.6, 10.6), 1.6, 1.6);
            painter.drawLine(QPointF(-2.6, 0), QPointF(2.6, 0));
            break;
        case ResultState::failed:
            painter.setBrush(colour(Role::wrong));
            painter.setPen(stroke(colour(Role::wrong), 1.2));
            painter.drawPolygon(QPolygonF{{0, -5.6}, {5.9, 4.8}, {-5.9, 4.8}});
            painter.setPen(stroke(background, 1.7));
            painter.drawLine(QPointF(0, -1.9), QPointF(0, 1.2));
            painter.drawPoint(QPointF(0, 3.4));
            break;
    }
}

void drawInfoGlyph(QPainter& painter, const QRectF& box, const QColor& ink) {
    const Box scaled(painter, box);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(stroke(ink, 1.2));
    painter.drawEllipse(QPointF(), 6.2, 6.2);
    painter.setPen(stroke(ink, 1.5));
    painter.drawLine(QPointF(0, -0.6), QPointF(0, 3.2));
    painter.drawPoint(QPointF(0, -3));
}

}  // namespace warplens::gui
