// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainter>
#include <QRectF>
#include <QSizeF>
#include <QString>

namespace warplens::gui {

/// A line across a view with one picture on each side of it.
struct Wipe {
    Qt::Orientation line = Qt::Vertical;
    double at = 0.5;       ///< share of the view on the left of the line, or above it: 0 to 1
    bool swapped = false;  ///< the other picture is on the right, or below
    QString other, own;    ///< what the two pictures are called

    bool operator==(const Wipe&) const = default;
    /// The part of a view of this size that shows the other picture.
    QRectF otherSide(QSizeF view) const;
    /// Whether a point is near enough to the line to take hold of it.
    bool holds(QPointF point, QSizeF view) const;
    /// The share that brings the line to a point, within the view.
    double shareAt(QPointF point, QSizeF view) const;
    /// The line with its handle, and the two names at the ends of the view.
    void paint(QPainter& painter, QSizeF view) const;
};

}  // namespace warplens::gui
