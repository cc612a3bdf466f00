// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/image_view.hpp"

#include <QColor>
#include <QPoint>
#include <QRect>
#include <QString>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warplens::gui {

/// A box of pixels whose sum is made of few values of an integral picture, at its corners.
struct BoxReads {
    struct Corner {
        QString name;  ///< "A"
        QPoint at;     ///< the pixel whose value is read
        bool operator==(const Corner&) const = default;
    };
    QRect box;
    std::vector<Corner> corners;  ///< only those that are read: none lies before the picture
    QString text;                 ///< the values and what becomes of them, in one line
};

/// The box, outlined, and the pixels that are read.
class BoxReadsOverlay : public ImageOverlay {
public:
    /// Nothing: nothing is drawn. The view must be updated by who sets it.
    void set(std::optional<BoxReads> reads) { m_reads = std::move(reads); }
    const std::optional<BoxReads>& reads() const { return m_reads; }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    std::optional<BoxReads> m_reads;
};

/// Which picture column and row stand at each pixel of a view's screen; -1 outside. As render() has it.
struct ScreenPixels {
    explicit ScreenPixels(const ImageView& view);
    QSize size;
    double ratio;  ///< of the device's pixels to logical ones
    std::vector<std::int64_t> across, down;
};

/// Colours pixels of the picture by a rule, which is asked once for every screen pixel: its cost follows the screen,
/// not the picture.
class PixelOverlay : public ImageOverlay {
public:
    /// The colour over pixel (x, y) of the slice shown; transparent: none. Called on the UI thread while painting.
    using Rule = std::function<QRgb(std::int64_t x, std::int64_t y, std::int64_t z)>;
    /// An empty rule draws nothing. The view must be updated by who sets it.
    void setRule(Rule rule) { m_rule = std::move(rule); }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    Rule m_rule;
};

/// A rectangle of pixels, outlined in the accent.
class RectangleOverlay : public ImageOverlay {
public:
    /// Empty: nothing.
    void setRectangle(QRect pixels) { m_pixels = pixels; }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    QRect m_pixels;
};

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
