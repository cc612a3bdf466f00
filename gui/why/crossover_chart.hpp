// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QPoint>
#include <QStringList>
#include <optional>
#include <vector>

namespace warplens::gui {

/// A map over two axes, the first downwards: each cell in the colour and with the shape and name of the fastest variant
/// and its distance to the runner-up, or with the time of one variant. Arrow keys and clicks choose a cell.
class CrossoverChart : public Plot {
    Q_OBJECT
public:
    struct Cell {
        std::optional<gpu::Idea> idea;   ///< of a winner
        std::vector<gpu::Idea> same;     ///< two or more whose intervals overlap: there is no winner
        std::optional<double> share{};   ///< of one variant's time: 1 for the fastest cell, 0 for the slowest
        std::optional<Origin> origin{};  ///< of the figure
        QString name, figure, detail;    ///< "constant", "1.24×", "ahead of naive"
        QString spoken;                  ///< all of it, for tooltip and screen reader
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
    /// Return on the map.
    void taken();

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
    void paintOrigin(QPainter& painter, const QRectF& box, const Cell& cell, double taken) const;

    Map m_map;
    QPoint m_chosen;
};

}  // namespace warplens::gui
