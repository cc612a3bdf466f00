// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/axis.hpp"
#include "gui/kit/paint.hpp"
#include "gui/picture/line_profile.hpp"

#include <optional>
#include <vector>

namespace warplens::gui {

/// Values along a line, a curve a picture or a channel, named below. A pixel of it can be chosen, by mouse or arrows.
class ProfileChart : public Plot {
    Q_OBJECT
public:
    explicit ProfileChart(QWidget* parent = nullptr);
    void setProfile(const ProfileLine& line, std::vector<ProfileCurve> curves);
    /// Which pixel of the line is marked; none: no mark.
    void setAt(std::optional<std::size_t> at);
    std::optional<std::size_t> at() const { return m_at; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

signals:
    /// A pixel of the line, from 0.
    void chosen(std::size_t pixel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    ValueScale across() const;
    /// Values to pixels upwards from the bottom of area().
    ValueScale up() const;
    std::optional<std::size_t> pixelAt(double x) const;
    void choose(double x);
    void paintAxes(QPainter& painter) const;
    void paintCurve(QPainter& painter, const ProfileCurve& curve) const;
    void paintNames(QPainter& painter) const;

    ProfileLine m_line;
    std::vector<ProfileCurve> m_curves;
    double m_low = 0, m_high = 1;
    std::optional<std::size_t> m_at;
};

}  // namespace warplens::gui
