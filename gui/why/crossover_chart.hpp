// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/kit/paint.hpp"

#include <QPoint>
#include <QStringList>
#include <optional>
#include <vector>

namespace warplens::gui {

/// A map of winners: a row a value, a column a picture size, each cell in the colour and with the shape and name of the
/// fastest variant and its distance to the runner-up. Arrow keys and clicks choose a cell.
class CrossoverChart : public Plot {
    Q_OBJECT
public:
    struct Cell {
        std::optional<gpu::Idea> idea;  ///< of a winner
        std::vector<gpu::Idea> same;    ///< two or more whose intervals overlap: there is no winner
        QString name, figure, detail;   ///< "constant", "1.24×", "ahead of naive"
        QString spoken;                 ///< all of it, for tooltip and screen reader
    };
    struct Map {
        QString rowTitle, columnTitle;
        QStringList rows, columns;
        std::vector<Cell> cells;  ///< row by row
    };
    explicit CrossoverChart(QWidget* parent = nullptr);
    void setMap(Map map);
    const Map& map() const { return m_map; }
    /// Column and row of the cell chosen.
    QPoint chosen() const { return m_chosen; }
    void choose(QPoint cell);
    QRectF cellRect(QPoint cell) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void cellChosen(QPoint cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    const Cell* at(QPoint cell) const;
    std::optional<QPoint> cellAt(QPointF place) const;
    void paintCell(QPainter& painter, const QRectF& box, const Cell& cell) const;

    Map m_map;
    QPoint m_chosen;
};

}  // namespace warplens::gui
