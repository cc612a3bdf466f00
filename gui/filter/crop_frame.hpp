// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/image_view.hpp"

#include <QObject>
#include <QPointer>
#include <QRect>

namespace warplens::gui {

/// The part of a picture that a step keeps, over the whole of it: dimmed outside, with thirds and eight handles.
/// Dragging a handle or an edge changes it, dragging within moves it, dragging outside draws another; arrows move it by
/// a pixel (with Shift by ten), with Ctrl its lower right corner.
class CropFrame : public QObject, public ImageOverlay {
    Q_OBJECT
public:
    explicit CropFrame(QObject* parent) : QObject(parent) {}

    /// Over this view, whose picture has such a size; null: over none. A part that is being dragged stays.
    void show(ImageView* view, QSize picture, const QRect& part);
    bool shown() const { return m_view != nullptr; }
    const QRect& part() const { return m_part; }
    /// Width to height, kept from now on; 0: any.
    void setRatio(double ratio);
    double ratio() const { return m_ratio; }
    /// Another size about the same middle.
    void setSize(QSize size);
    void paint(QPainter& painter, const ImageView& view) override;

signals:
    /// While it is dragged.
    void changed();
    /// At rest.
    void taken(QRect part);
    /// Enter: this is it.
    void done();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Which edges a place holds; all four: the whole of it.
    Qt::Edges held(QPointF widget) const;
    bool pressed(QPointF widget);
    void dragged(QPointF widget);
    bool key(int key, Qt::KeyboardModifiers modifiers);
    void put(QRectF part, Qt::Edges moving);

    QPointer<ImageView> m_view;
    QSize m_picture;
    QRect m_part;
    double m_ratio = 0;
    bool m_dragging = false;
    Qt::Edges m_held{};
    QPointF m_from;
    QRect m_before;
};

}  // namespace warplens::gui
