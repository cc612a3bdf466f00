// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/matrix_rows.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/session/request_state.hpp"

#include <QMouseEvent>
#include <QWidget>
#include <memory>
#include <optional>

namespace warplens::gui {

/// The rows of the matrix over the pixels they belong to: numbered where there is room, one warp's set off, the chosen
/// one and what it reads in the accent; dashed around neighbours whose value is known.
class UnknownsOverlay : public ImageOverlay {
public:
    void setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row);
    void paint(QPainter& painter, const ImageView& view) override;
    /// What the chosen row is, in words.
    QString rowText() const;

private:
    int rowAt(int x, int y, int z) const;
    /// Whether the chosen row reads that pixel.
    bool reads(QPoint pixel) const;
    void paintCell(QPainter& painter, const QRectF& cell, int row) const;
    void paintChosen(QPainter& painter, const ImageView& view) const;

    std::shared_ptr<const gpu::sparse::MatrixRows> m_rows;
    int m_first = 0, m_count = 0, m_row = 0;
    QPoint m_at;
    int m_slice = 0;
};

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
