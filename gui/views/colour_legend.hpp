// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/views/image_view.hpp"

namespace warplens::gui {

/// A colour map with its ends named, in the lower right corner of a picture.
class ColourLegend : public ImageOverlay {
public:
    ColourLegend(ColourMap map, const QString& low, const QString& what, const QString& high)
        : m_map(map), m_low(low), m_what(what), m_high(high) {}
    void paint(QPainter& painter, const ImageView& view) override;

private:
    ColourMap m_map;
    QString m_low, m_what, m_high;
};

}  // namespace warplens::gui
