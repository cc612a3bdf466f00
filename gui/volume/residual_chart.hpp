// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/evolution.hpp"
#include "gui/kit/paint.hpp"
#include "gui/volume/playback_model.hpp"

#include <vector>

namespace warplens::gui {

/// The largest change of a cell in a step, log scale, over the steps of an iteration; dashed that of the run before.
class ResidualChart : public Plot {
    Q_OBJECT
public:
    explicit ResidualChart(QWidget* parent = nullptr);
    /// `steps` is the end of the axis, `at` the step of the frame shown.
    void setCurves(const std::vector<ResidualPoint>& now, const std::vector<ResidualPoint>& earlier, std::int64_t steps,
                   std::int64_t at);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    double x(std::int64_t step) const;
    double y(double change) const;
    void drawCurve(QPainter& painter, const std::vector<ResidualPoint>& points) const;
    void drawGrid(QPainter& painter) const;
    void drawPosition(QPainter& painter) const;
    const ResidualPoint* at(std::int64_t step) const;

    std::vector<ResidualPoint> m_now, m_earlier;
    std::int64_t m_steps = 1, m_at = 0;
    int m_bottom = -1, m_top = 0;  ///< powers of ten
};

}  // namespace warplens::gui
