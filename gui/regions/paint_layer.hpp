// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/overlays.hpp"
#include "gui/session/region_tools.hpp"

#include <QWidget>
#include <optional>

namespace warplens::gui {

class CompareSession;
class Page;
class PageTool;
class PaneGrid;

/// Lies over a picture's view: the mask in a colour that lets the picture through, the polygon under way, the brush's
/// outline as the cursor. While a tool is on, the left button is the tool's; all else reaches the view below.
class PaintLayer : public QWidget {
    Q_OBJECT
public:
    enum class Inside { veiled, bare };  ///< bare: somebody else shows what is inside
    PaintLayer(ImageView& view, RegionTools& tools, Inside inside = Inside::veiled);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void follow();
    /// Whether the view shows a picture as large as the mask.
    bool fits() const;
    void paintPolygon(QPainter& painter) const;
    void paintBrush(QPainter& painter) const;

    ImageView& m_view;
    RegionTools& m_tools;
    Inside m_inside;
    PixelOverlay m_overlay;
    std::optional<QPointF> m_at;  ///< of the mouse, in the widget
    bool m_down = false;
};

/// Has the mask painted: a row of tools above the panes, such a layer over each of them.
PageTool* makePaintTool(Page& page, PaneGrid& panes, CompareSession& session);

}  // namespace warplens::gui
