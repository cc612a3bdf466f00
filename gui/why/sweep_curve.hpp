// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QStringList>
#include <optional>
#include <vector>

namespace warplens::gui {

/// Times over the values of one axis, a curve a variant with the 95 % interval at each value; where a variant was
/// refused a mark stands at the foot. Arrow keys and clicks choose a value.
class SweepCurve : public Plot {
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
    int chosen() const { return m_chosen; }
    void choose(int value);
    /// Where a time stands.
    QPointF place(int value, double ms) const;
    QSize sizeHint() const override { return {760, 480}; }
    QSize minimumSizeHint() const override { return {320, 200}; }

signals:
    void valueChosen(int value);
    /// Return on the curve.
    void taken();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    int valueAt(double x) const;
    void drawScales(QPainter& painter) const;
    void drawCurve(QPainter& painter, const Curve& curve) const;
    void drawNames(QPainter& painter) const;

    Curves m_curves;
    double m_most = 1, m_least = 0;
    bool m_log = false;
    int m_chosen = 0;
};

}  // namespace warplens::gui
