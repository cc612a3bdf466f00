// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/matrix_rows.hpp"
#include "gui/picture/image_view.hpp"

#include <memory>

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

}  // namespace warplens::gui
