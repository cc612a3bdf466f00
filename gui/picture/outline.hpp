// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/glyphs.hpp"
#include "gui/picture/overlays.hpp"

#include <QRectF>
#include <QString>
#include <cstdint>
#include <functional>
#include <optional>

namespace warplens::gui {

/// Lines between regions, as wide on the screen at every zoom: white over black, or weak ones in grey.
class OutlineOverlay : public ImageOverlay {
public:
    /// The region of pixel (x, y) of the slice shown; 0: none. Asked about once for every screen pixel.
    using Rule = std::function<std::int64_t(std::int64_t x, std::int64_t y, std::int64_t z)>;
    enum class Line { bright, weak };
    explicit OutlineOverlay(Line line = Line::bright) : m_line(line) {}
    /// An empty rule draws nothing. The view must be updated by who sets it.
    void setRule(Rule rule) { m_rule = std::move(rule); }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    Rule m_rule;
    Line m_line;
};

/// Words beside a box of pixels, with the origin of the number in them, and the box itself in the accent.
class BoxTag : public ImageOverlay {
public:
    enum class Box { drawn, bare };
    explicit BoxTag(Box box) : m_box(box) {}
    /// An empty box: nothing is drawn.
    void set(const QRectF& pixels, const QString& text, std::optional<Origin> origin);
    const QString& text() const { return m_text; }
    const QRectF& pixels() const { return m_pixels; }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    Box m_box;
    QRectF m_pixels;
    QString m_text;
    std::optional<Origin> m_origin;
};

}  // namespace warplens::gui
