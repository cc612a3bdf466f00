// SPDX-License-Identifier: Apache-2.0
#include "gui/filter/crop_frame.hpp"

#include "gui/kit/theme/metrics.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kReach = 10;  ///< logical pixels about an edge that hold it
constexpr int kJump = 10;
const Qt::Edges kAll = Qt::LeftEdge | Qt::TopEdge | Qt::RightEdge | Qt::BottomEdge;

Qt::CursorShape cursorOf(Qt::Edges held) {
    if (held == kAll) return Qt::SizeAllCursor;
    if (held == (Qt::LeftEdge | Qt::TopEdge) || held == (Qt::RightEdge | Qt::BottomEdge)) return Qt::SizeFDiagCursor;
    if (held == (Qt::RightEdge | Qt::TopEdge) || held == (Qt::LeftEdge | Qt::BottomEdge)) return Qt::SizeBDiagCursor;
    if (held & (Qt::LeftEdge | Qt::RightEdge)) return Qt::SizeHorCursor;
    return held ? Qt::SizeVerCursor : Qt::CrossCursor;
}

}  // namespace

void CropFrame::show(ImageView* view, QSize picture, const QRect& part) {
    if (view != m_view.data()) {
        if (m_view) {
            m_view->removeEventFilter(this);
            m_view->setOverlays({});
            m_view->unsetCursor();
        }
        m_dragging = false;
        m_view = view;
        if (view == nullptr) return;
        view->installEventFilter(this);
        view->setOverlays({this});
    }
    if (view == nullptr || m_dragging) return;
    m_picture = picture;
    const QRect whole(QPoint(), picture);
    m_part = part.isEmpty() ? whole : part & whole;
    view->update();
}

void CropFrame::setRatio(double ratio) {
    m_ratio = ratio;
    if (ratio > 0 && m_view) put(m_part, Qt::RightEdge | Qt::BottomEdge);
}

void CropFrame::setSize(QSize size) {
    const QPointF middle = QRectF(m_part).center();
    const QSizeF wanted = QSizeF(size).boundedTo(m_picture);
    QRectF part(middle - QPointF(wanted.width(), wanted.height()) / 2, wanted);
    part.moveLeft(std::clamp(part.left(), 0.0, m_picture.width() - part.width()));
    part.moveTop(std::clamp(part.top(), 0.0, m_picture.height() - part.height()));
    put(part, kAll);
    emit taken(m_part);
}

Qt::Edges CropFrame::held(QPointF widget) const {
    const QRectF frame(m_view->toWidget(m_part.topLeft()),
                       m_view->toWidget(m_part.topLeft() + QPoint(m_part.width(), m_part.height())));
    const double reach = kReach * lineScale();
    if (!frame.adjusted(-reach, -reach, reach, reach).contains(widget)) return {};
    Qt::Edges edges;
    // Of a narrow part the nearer edge, and room is left to hold the whole.
    const double across = std::min(reach, frame.width() / 3), down = std::min(reach, frame.height() / 3);
    if (widget.x() < frame.left() + across) edges |= Qt::LeftEdge;
    if (widget.x() > frame.right() - across) edges |= Qt::RightEdge;
    if (widget.y() < frame.top() + down) edges |= Qt::TopEdge;
    if (widget.y() > frame.bottom() - down) edges |= Qt::BottomEdge;
    return edges ? edges : kAll;
}

bool CropFrame::pressed(QPointF widget) {
    m_held = held(widget);
    m_before = m_part;
    m_from = m_view->toPicture(widget);
    const QRectF whole(QPointF{}, m_picture);
    // Nothing to move yet: what is dragged within the whole is a part.
    if (m_held == kAll && QRectF(m_part) == whole) m_held = {};
    if (!m_held) {
        if (!whole.contains(m_from)) return false;  // around the picture one pans
        m_held = Qt::RightEdge | Qt::BottomEdge;
        m_before = QRect(m_from.toPoint(), QSize(1, 1));
    }
    m_dragging = true;
    return true;
}

void CropFrame::dragged(QPointF widget) {
    const QPointF by = m_view->toPicture(widget) - m_from;
    QRectF part(m_before);
    if (m_held == kAll) {
        part.moveLeft(std::clamp(part.left() + by.x(), 0.0, m_picture.width() - part.width()));
        part.moveTop(std::clamp(part.top() + by.y(), 0.0, m_picture.height() - part.height()));
    } else {
        const auto edge = [&](Qt::Edge which, double at, double shift) { return m_held & which ? at + shift : at; };
        double left = edge(Qt::LeftEdge, part.left(), by.x()), right = edge(Qt::RightEdge, part.right(), by.x());
        double top = edge(Qt::TopEdge, part.top(), by.y()), bottom = edge(Qt::BottomEdge, part.bottom(), by.y());
        // Drawn beyond the edge that stays, the part lies on its other side.
        Qt::Edges moving = m_held;
        if (left > right) {
            std::swap(left, right);
            moving ^= Qt::LeftEdge | Qt::RightEdge;
        }
        if (top > bottom) {
            std::swap(top, bottom);
            moving ^= Qt::TopEdge | Qt::BottomEdge;
        }
        return put(QRectF(QPointF(left, top), QPointF(right, bottom)), moving);
    }
    put(part, kAll);
}

void CropFrame::put(QRectF part, Qt::Edges moving) {
    part &= QRectF(QPointF(), QSizeF(m_picture));
    if (m_ratio > 0 && moving != kAll) {
        // The edge that is dragged leads; of a corner the longer way. What does not fit is cut on both.
        const bool across = moving & (Qt::LeftEdge | Qt::RightEdge), down = moving & (Qt::TopEdge | Qt::BottomEdge);
        QSizeF size = part.size();
        if (across && (!down || size.width() >= size.height() * m_ratio))
            size.setHeight(size.width() / m_ratio);
        else
            size.setWidth(size.height() * m_ratio);
        const bool fromRight = moving & Qt::LeftEdge, fromBottom = moving & Qt::TopEdge;
        const QSizeF room(fromRight ? part.right() : m_picture.width() - part.left(),
                          fromBottom ? part.bottom() : m_picture.height() - part.top());
        const double fits = std::min({1.0, room.width() / size.width(), room.height() / size.height()});
        size *= fits;
        part = QRectF(fromRight ? part.right() - size.width() : part.left(),
                      fromBottom ? part.bottom() - size.height() : part.top(), size.width(), size.height());
    }
    const auto whole = [](double at) { return static_cast<int>(std::lround(at)); };
    QRect rounded(whole(part.left()), whole(part.top()), std::max(1, whole(part.width())),
                  std::max(1, whole(part.height())));
    rounded.moveLeft(std::clamp(rounded.left(), 0, std::max(0, m_picture.width() - rounded.width())));
    rounded.moveTop(std::clamp(rounded.top(), 0, std::max(0, m_picture.height() - rounded.height())));
    rounded &= QRect(QPoint(), m_picture);
    if (rounded == m_part) return;
    m_part = rounded;
    m_view->update();
    emit changed();
}

bool CropFrame::key(int key, Qt::KeyboardModifiers modifiers) {
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        emit done();
        return true;
    }
    const int by = modifiers & Qt::ShiftModifier ? kJump : 1;
    QPoint move;
    if (key == Qt::Key_Left) move.setX(-by);
    if (key == Qt::Key_Right) move.setX(by);
    if (key == Qt::Key_Up) move.setY(-by);
    if (key == Qt::Key_Down) move.setY(by);
    if (move.isNull()) return false;
    const QRect before = m_part;
    if (modifiers & Qt::ControlModifier) {
        const bool across = move.x() != 0;
        QRectF part(m_part);
        part.setBottomRight(part.bottomRight() + move);
        put(part, across ? Qt::RightEdge : Qt::BottomEdge);
    } else {
        put(QRectF(m_part.translated(std::clamp(move.x(), -m_part.left(), m_picture.width() - m_part.right() - 1),
                                     std::clamp(move.y(), -m_part.top(), m_picture.height() - m_part.bottom() - 1))),
            kAll);
    }
    if (m_part != before) emit taken(m_part);
    return true;
}

bool CropFrame::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_view.data() || m_picture.isEmpty()) return false;
    switch (event->type()) {
        case QEvent::MouseButtonPress: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            if (mouse->button() != Qt::LeftButton || !pressed(mouse->position())) return false;
            m_view->setFocus(Qt::MouseFocusReason);
            return true;
        }
        case QEvent::MouseMove: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            if (m_dragging)
                dragged(mouse->position());
            else if (mouse->buttons() == Qt::NoButton)
                m_view->setCursor(cursorOf(held(mouse->position())));
            return m_dragging;
        }
        case QEvent::MouseButtonRelease:
            if (!std::exchange(m_dragging, false)) return false;
            if (m_part != m_before) emit taken(m_part);
            return true;
        case QEvent::MouseButtonDblClick: return held(static_cast<QMouseEvent*>(event)->position()) != Qt::Edges();
        case QEvent::KeyPress: {
            const auto* pressedKey = static_cast<QKeyEvent*>(event);
            return key(pressedKey->key(), pressedKey->modifiers());
        }
        default: return false;
    }
}

void CropFrame::paint(QPainter& painter, const ImageView& view) {
    const QRectF frame(view.toWidget(m_part.topLeft()),
                       view.toWidget(m_part.topLeft() + QPoint(m_part.width(), m_part.height())));
    const QRectF picture(view.toWidget({0, 0}), view.toWidget(QPointF(m_picture.width(), m_picture.height())));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outside;
    outside.addRect(picture);
    outside.addRect(frame);
    painter.fillPath(outside, QColor(0, 0, 0, 150));
    const double scale = lineScale();
    const auto line = [&](QColor ink, double wide, auto draw) {
        painter.setPen(QPen(ink, wide * scale));
        draw();
    };
    const auto thirds = [&] {
        for (const double at : {1.0 / 3, 2.0 / 3}) {
            const double x = frame.left() + at * frame.width(), y = frame.top() + at * frame.height();
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()));
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y));
        }
    };
    line(QColor(0, 0, 0, 90), 2.5, thirds);
    line(QColor(255, 255, 255, 130), 1, thirds);
    painter.setBrush(Qt::NoBrush);
    line(QColor(0, 0, 0, 150), 3, [&] { painter.drawRect(frame); });
    line(Qt::white, 1.5, [&] { painter.drawRect(frame); });
    const double side = 9 * scale;
    // At the edge of the view they stay whole.
    const auto handle = [&](double x, double y) {
        const double near = side / 2 + 1;
        return QRectF(std::clamp(x, near, view.width() - near) - side / 2,
                      std::clamp(y, near, view.height() - near) - side / 2, side, side);
    };
    painter.setBrush(Qt::white);
    painter.setPen(QPen(QColor(0, 0, 0, 170), 1.2 * scale));
    for (const double x : {frame.left(), frame.center().x(), frame.right()})
        for (const double y : {frame.top(), frame.center().y(), frame.bottom()})
            if (QPointF(x, y) != frame.center()) painter.drawRect(handle(x, y));
    painter.restore();
}

}  // namespace warplens::gui
