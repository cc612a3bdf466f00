// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"
#include "gui/lenses/sparse/matrix_model.hpp"

#include <map>
#include <optional>

namespace warplens::gui {

/// What solvers leave of the first residual, over the products with the matrix
/// that they took, both on a log scale. A step of a curve can be chosen.
class SolveChart : public PlotView {
    Q_OBJECT
public:
    explicit SolveChart(QWidget* parent = nullptr);
    /// `at`: the step of `solver` that the picture shows; none: its end.
    void setCurves(const std::map<std::string, SolveCurve>& curves, const std::string& solver,
                   std::optional<std::int64_t> at);
    QString spoken() const { return plot().spoken; }
    /// As much of it as there is room for below the curves.
    QString axisTitle() const { return titleOf(plot().x, area().width()); }
    QSize sizeHint() const override { return {380, 260}; }
    QSize minimumSizeHint() const override { return {240, Length(112)}; }
    /// Where a step of a curve is drawn.
    QPointF pointAt(const std::string& solver, std::size_t point) const;

signals:
    void stepChosen(const std::string& solver, std::int64_t step);

protected:
    void pick(int choice) override;

private:
    struct Step {
        std::string solver;
        SolveCurve::Point point;
    };
    static QPointF valueOf(const SolveCurve::Point& point);

    std::map<std::string, SolveCurve> m_curves;
    std::vector<Step> m_steps;  ///< that can be chosen
};

}  // namespace warplens::gui
