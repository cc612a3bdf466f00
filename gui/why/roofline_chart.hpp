// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/why.hpp"
#include "gui/kit/label_placement.hpp"
#include "gui/kit/paint.hpp"

#include <optional>
#include <vector>

namespace warplens::gui {

/// What a variant does a byte and a second, against what the device can: both axes logarithmic. A variant without a
/// time has no place there: it is named below the axis. Left of a variant's line the caches have answered what memory
/// could not.
class RooflineChart : public Plot {
    Q_OBJECT
public:
    struct Point {
        QString name;
        gpu::Idea idea{};
        double operationsPerByte = 0;  ///< counted, of the bytes that threads load
        double tflops = 0;             ///< from counted operations and a time; 0: no time
        bool current = false;
        bool against = false;  ///< what the current one is compared with
        QString from{};        ///< of a recorded time: whose, and from which size it is scaled
    };
    explicit RooflineChart(QWidget* parent = nullptr);
    /// No ceilings: the points alone.
    /// Where each point's name stands; nothing where there is no room for it, or it has no time.
    const std::vector<std::optional<QRectF>>& names() const { return m_names; }
    void setPoints(std::vector<Point> points, const std::optional<gpu::WhyCeilings>& ceilings);
    QSize sizeHint() const override { return {400, 280}; }
    QSize minimumSizeHint() const override { return {240, Length(170)}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    QPointF place(double operationsPerByte, double tflops) const;
    void paintGrid(QPainter& painter) const;
    /// "without a time: naive, constant"; empty where all have one.
    QString untimed() const;
    /// Returns what the names of the ceilings cover.
    std::vector<QRectF> paintCeilings(QPainter& painter) const;
    bool isLow() const;
    /// The slopes' names in a row above a low plot, each after a stretch of its line.
    struct Key {
        Qt::PenStyle style;
        QString name;
    };
    std::vector<Key> keys() const;
    double keysWidth() const;
    void paintKeys(QPainter& painter) const;
    /// Operations a byte at which the name of a slope of so many bytes a second stands on the fewest marks.
    double nameFrom(double perByte, double first, double wide, double high) const;
    void paintNames(QPainter& painter, const std::vector<QRectF>& taken) const;
    static QString textOf(const Point& point);

    std::vector<Point> m_points;
    std::optional<gpu::WhyCeilings> m_ceilings;
    mutable LabelPlaces m_places;
    mutable std::vector<std::optional<QRectF>> m_names;  ///< as painted last
    double m_top = 100;                                  ///< TFLOP/s at the upper edge
    double m_to = 64;                                    ///< operations a byte at the right edge
};

}  // namespace warplens::gui
