// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/image_view.hpp"

#include <QRectF>
#include <QString>

namespace warplens::gui {

/// The longest of 1, 2 or 5 times a power of ten that fits.
struct ScaleBar {
    double mm = 0;
    double pixels = 0;
    QString label(bool hasGeometry = true) const;  ///< "20 mm", "500 µm"; else "20 voxels"
};

/// A bar of at most `most` pixels where a mm has `pixelsPerMm`.
ScaleBar scaleBar(double pixelsPerMm, double most);

/// Where a slice lies on its canvas, in widget pixels.
struct SlicePlacement {
    QRectF canvas;   ///< all there is to draw on
    QRectF picture;  ///< the slice; may reach beyond the canvas
    double pixelsPerMm = 1;
    bool hasGeometry = true;  ///< lengths are mm; else voxels
};

/// A round length at the lower right, beside the picture or over it.
void drawScaleBar(QPainter& painter, const SlicePlacement& placement);
/// Text beside a picture in its own colour; over it on a dark plate.
void drawLabel(QPainter& painter, QRectF box, Qt::Alignment alignment, const QString& text, const QColor& ink,
               bool over);

/// Where a picture's file says how large a pixel is, other than in print.
class ScaleBarOverlay : public ImageOverlay {
public:
    void paint(QPainter& painter, const ImageView& view) override;
};

}  // namespace warplens::gui
