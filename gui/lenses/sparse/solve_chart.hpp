// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/lenses/sparse/matrix_model.hpp"

#include <map>
#include <optional>

namespace warplens::gui {

/// What solvers leave of the first residual, over the products with the matrix that they took, both on a log scale. A
/// click takes the nearest step of a curve.
class SolveChart : public Plot {
    Q_OBJECT
public:
    explicit SolveChart(QWidget* parent = nullptr);
    /// `at`: the step of `solver` that the picture shows; none: its end.
    void setCurves(const std::map<std::string, SolveCurve>& curves, const std::string& solver,
                   std::optional<std::int64_t> at);
    QString spoken() const;
    /// As much of it as there is room for below the curves.
    QString axisTitle() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// What the curves are drawn in.
    QRectF area() const;
    /// Where a step of a curve is drawn.
    QPointF pointAt(const std::string& solver, std::size_t point) const;

signals:
    void stepChosen(const std::string& solver, std::int64_t step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    struct Nearest {
        std::string solver;
        const SolveCurve::Point* point = nullptr;
        double apart = 0;
    };
    /// `only`: of that solver's curve; empty: of any.
    Nearest nearest(QPointF place, const std::string& only) const;
    QPointF at(const SolveCurve::Point& point) const;
    void choose(QPointF place);
    void paintGrid(QPainter& painter) const;
    void paintCurve(QPainter& painter, const std::string& solver, const SolveCurve& curve) const;

    std::map<std::string, SolveCurve> m_curves;
    std::string m_solver;
    std::optional<std::int64_t> m_at;
    std::string m_held;  ///< whose curve the mouse goes along
    double m_most = 10;  ///< products
    int m_decades = 3;
};

}  // namespace warplens::gui
