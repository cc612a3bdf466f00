// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"

#include <QPoint>
#include <optional>

namespace warplens::gui {

/// Times over the values of one axis, a curve a variant with the 95 % interval
/// at each value; where a variant was refused a mark stands at the foot. A
/// value can be chosen, and taken by Return.
class SweepCurve : public PlotView {
    Q_OBJECT
public:
    /// Milliseconds.
    struct Point {
        double median = 0, low = 0, high = 0;
    };
    struct Curve {
        QString name;
        gpu::Idea idea{};
        std::vector<std::optional<Point>> points;  ///< one a value
    };
    struct Curves {
        QString title;       ///< of the axis
        QStringList values;  ///< along it
        QStringList spoken;  ///< what is to be said of each
        std::vector<Curve> curves;
        std::vector<bool> refused;  ///< whether some variant was, at each value
        Origin origin = Origin::measured;
    };
    explicit SweepCurve(QWidget* parent = nullptr);
    void setCurves(Curves curves);
    const Curves& curves() const { return m_curves; }
    /// Where a time stands.
    QPointF place(int value, double ms) const { return places().place(QPointF(value, ms)); }
    QSize sizeHint() const override { return {760, 480}; }
    QSize minimumSizeHint() const override { return {320, 200}; }

private:
    Curves m_curves;
};

/// A map over two axes, the first downwards: each cell in the colour and with
/// the shape and name of the fastest variant and its distance to the runner-up,
/// or with the time of one variant. A cell can be chosen, and taken by Return.
class CrossoverChart : public PlotView {
    Q_OBJECT
public:
    struct Cell {
        std::optional<gpu::Idea> idea;   ///< of a winner
        std::vector<gpu::Idea> same;     ///< two or more whose intervals overlap: there is no winner
        std::optional<double> share{};   ///< of one variant's time: 1 for the fastest
                                         ///< cell, 0 for the slowest
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
    QPoint chosenCell() const;
    QRectF cellRect(QPoint cell) const { return places().cell(cell); }
    QSize sizeHint() const override { return {760, 480}; }
    QSize minimumSizeHint() const override { return {320, 200}; }

private:
    Map m_map;
};

}  // namespace warplens::gui
