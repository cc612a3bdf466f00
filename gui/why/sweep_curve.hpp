// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"

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

}  // namespace warplens::gui
