// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplens::gui {

/// A count a step: the pixels that a frontier reached, the labels that a pass changed. A step can be chosen, by mouse
/// or arrows.
class CountsCurve : public Plot {
    Q_OBJECT
public:
    explicit CountsCurve(QWidget* parent = nullptr);
    /// `first`: the number of the first step; `steps`: what they are called, "passes".
    void setCounts(std::vector<std::int64_t> counts, std::int64_t first, const QString& steps);
    const std::vector<std::int64_t>& counts() const { return m_counts; }
    /// The step marked, from 0; none: no mark.
    void setAt(std::optional<std::size_t> at);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(std::size_t step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    double x(std::size_t step) const;
    std::optional<std::size_t> stepAt(double x) const;
    void choose(double x);

    std::vector<std::int64_t> m_counts;
    std::int64_t m_first = 0, m_highest = 1;
    QString m_steps;
    std::optional<std::size_t> m_at;
};

}  // namespace warplens::gui
