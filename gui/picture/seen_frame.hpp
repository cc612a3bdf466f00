// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/render.hpp"

#include <QImage>
#include <QPoint>

class QPainter;

namespace warplens::gui {

/// The visible part of a picture that was drawn elsewhere.
struct SeenFrame {
    QImage image;           ///< one pixel a screen pixel
    QPoint at;              ///< of its first pixel on the screen
    RenderRequest request;  ///< the view it was drawn for

    /// Fills what `now` looks at; a view that has moved since gets it moved and scaled, until the next one comes.
    void paint(QPainter& painter, const RenderRequest& now, double devicePixelRatio) const;
};

}  // namespace warplens::gui
