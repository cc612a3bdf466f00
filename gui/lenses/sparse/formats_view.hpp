// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/families/sparse/matrix_rows.hpp"
#include "gui/kit/paint.hpp"

#include <memory>
#include <vector>

namespace warplens::gui {

/// A warp of rows as each format stores them: a strip a format, places that only fill up hatched, one row in the accent
/// in all of them.
class FormatsView : public Plot {
    Q_OBJECT
public:
    explicit FormatsView(QWidget* parent = nullptr);
    void setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row);
    /// What stands above each strip, one line each.
    QString spoken() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void rowChosen(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    struct Strip {
        gpu::sparse::Format format;
        const gpu::Variant* variant;  ///< whose idea and name it has
        QString words;
        gpu::sparse::StoredRows stored;
        int lines = 0;
        std::vector<int> offsets{};  ///< of diagonals
        QRectF head{}, cells{};
    };
    std::vector<Strip> strips() const;
    QString bytesOf(const Strip& strip) const;
    QString figures(const Strip& strip) const;
    bool possible(const Strip& strip) const;
    bool filled(const Strip& strip, int row, int k) const;
    int length(int row) const { return m_rows->lengths[static_cast<std::size_t>(row)]; }
    double line(const Strip& strip) const { return strip.cells.height() / strip.lines; }
    void paintHead(QPainter& painter, const Strip& strip) const;
    void paintNonzeros(QPainter& painter, const Strip& strip) const;
    void paintPlaces(QPainter& painter, const Strip& strip) const;
    void paintNothing(QPainter& painter, const Strip& strip) const;
    /// Which row stands at a place of a strip; -1: none.
    int rowAt(const Strip& strip, QPointF place) const;

    std::shared_ptr<const gpu::sparse::MatrixRows> m_rows;
    int m_first = 0, m_count = 0, m_row = 0;
};

/// A box that holds something, or only fills up: hatched.
void paintPlace(QPainter& painter, const QRectF& box, const QColor& ink, bool filled);

}  // namespace warplens::gui
