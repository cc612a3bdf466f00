// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QRectF>
#include <QWidget>
#include <memory>

namespace warplens::gui {

/// The whole picture, small, with the place of a block; a click chooses another.
class FilmOverview : public Plot {
    Q_OBJECT
public:
    explicit FilmOverview(QWidget* parent);
    void setPicture(const std::shared_ptr<const io::Grid>& picture);
    /// In pixels of the picture; empty: the block has no place in it.
    void setBlock(const QRectF& block);
    const QRectF& block() const { return m_block; }

signals:
    void pixelChosen(QPoint pixel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    double scale() const;

    std::weak_ptr<const io::Grid> m_picture;
    QSize m_extent;
    QImage m_image;
    QRectF m_block;
};

}  // namespace warplens::gui
