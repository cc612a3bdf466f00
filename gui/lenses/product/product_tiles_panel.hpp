// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/lenses/product/product_tiles.hpp"
#include "gui/session/pixel_follower.hpp"
#include "gui/session/request_state.hpp"

#include <QPointer>
#include <optional>

class QLabel;
class QSpinBox;

namespace warplens::gui {

class OriginMark;

/// A at the lower left, B at the upper right, C between them, to one scale: a block of C, the rows of A and the columns
/// of B that it needs, and the slices of them that it stages.
class ProductTilesView : public Plot {
    Q_OBJECT
public:
    explicit ProductTilesView(QWidget* parent = nullptr);
    /// `slice` is what the block stages now, of `tiles.slices()`.
    void set(const ProductTiles& tiles, QPoint block, int slice, gpu::Idea idea);
    QSize sizeHint() const override;

signals:
    /// The arrow keys, Home and End: so many slices on or back.
    void stepped(int by);
    /// A click on C, in its rows and columns.
    void outputChosen(QPoint output);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    enum Matrix { a, b, c };
    double scale() const;
    QRectF area(Matrix matrix) const;
    /// Part of a matrix on the widget, at least so large that it is seen.
    QRectF placeOf(Matrix matrix, const QRect& part) const;
    void paintMatrix(QPainter& painter, Matrix matrix, const QRect& band, const QRect& now) const;

    ProductTiles m_tiles;
    QPoint m_block;
    int m_slice = 0;
    gpu::Idea m_idea{};
};

/// Which tiles of A and B the block of the pixel under the cursor stages, slice by slice, and how often a value is
/// read.
class ProductTilesPanel : public QWidget, public PixelFollower {
    Q_OBJECT
public:
    explicit ProductTilesPanel(RequestState& request, QWidget* parent = nullptr);
    void follow(ViewState* view) override;

private:
    void take();
    void takePixel();
    void refresh();

    RequestState& m_request;
    QPointer<ViewState> m_view;
    std::optional<ProductTiles> m_tiles;
    std::optional<QPoint> m_output;  ///< the last one under the cursor, else the middle
    QSpinBox* m_slice;               ///< from 1
    QLabel *m_title, *m_text, *m_reads;
    OriginMark* m_mark;
    ProductTilesView* m_drawn;
};

}  // namespace warplens::gui
