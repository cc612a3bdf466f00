// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/image_view.hpp"
#include "gui/session/request_state.hpp"

#include <QMouseEvent>
#include <QWidget>
#include <optional>

namespace warplens::gui {

/// Lies over a picture's view while something is cloned into it: the source's outline, which the mouse drags. A click
/// beside it brings its middle there; all else reaches the view below.
class SourceLayer : public QWidget {
    Q_OBJECT
public:
    SourceLayer(ImageView& view, RequestState& request);
    /// Where the source lies on the picture, in pixels; empty while nothing is cloned.
    QRect source() const;
    /// What is written beside the outline.
    QString text() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override { event->ignore(); }

private:
    void follow();
    void place(QPoint at);

    ImageView& m_view;
    RequestState& m_request;
    struct Drag {
        QPointF grip;  ///< from the source's corner
        QPoint from;   ///< where that corner was
    };
    std::optional<Drag> m_drag;
};

}  // namespace warplens::gui
