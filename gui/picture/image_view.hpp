// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/picture/picture_layer.hpp"
#include "gui/picture/render.hpp"
#include "gui/picture/view_state.hpp"
#include "gui/picture/wipe.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QPoint>
#include <QPointer>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

class ImageView;

/// The visible part of a picture that was drawn elsewhere.
struct SeenFrame {
    QImage image;           ///< one pixel a screen pixel
    QPoint at;              ///< of its first pixel on the screen
    RenderRequest request;  ///< the view it was drawn for

    /// Fills what `now` looks at; a view that has moved since gets it moved and scaled, until the next one comes.
    void paint(QPainter& painter, const RenderRequest& now, double devicePixelRatio) const;
};

/// Something drawn over a picture that the user switched on.
class ImageOverlay {
public:
    virtual ~ImageOverlay() = default;
    /// In the view's coordinates; ImageView::toWidget() places picture points.
    virtual void paint(QPainter& painter, const ImageView& view) = 0;
};

/// One pane's canvas. Wheel zooms about the cursor, dragging pans, Ctrl+0 is 100 %, F fits, + and - zoom, arrows pan,
/// Ctrl+arrows move the cursor pixel. In a volume Shift and wheel, comma and full stop change the slice by one, Page Up
/// and Page Down by ten. What it shows is in a ViewState, which linked views share. It may hold a second picture, to
/// flip to or to wipe against.
class ImageView : public Canvas {
    Q_OBJECT

public:
    explicit ImageView(QWidget* parent = nullptr);
    ~ImageView() override;

    /// Shows `picture` (null: `message` alone). Returns at once; reduced levels are made on another thread.
    void setPicture(std::shared_ptr<const io::Grid> picture);
    std::shared_ptr<const io::Grid> picture() const { return m_layer.picture(); }
    /// Shows what was drawn elsewhere of a result that is not here yet, instead of the picture.
    void setFrame(SeenFrame frame);
    /// The picture of that frame has come, or none will: it is shown as soon as it is drawn as it will stay.
    void releaseFrame();
    bool hasFrame() const { return m_frame.has_value(); }
    /// What is looked at.
    RenderRequest lookedAt() const;
    /// The picture to flip to and to wipe against; null: none. With a display of its own it is shown by that.
    void setOther(std::shared_ptr<const io::Grid> picture, const std::optional<OwnDisplay>& display = {});
    /// Shows the other picture instead of the own, where there is one.
    void setFlipped(bool flipped);
    bool flipped() const { return m_flipped; }
    /// Shows the other picture on one side of a line, where there is one.
    void setWipe(const std::optional<Wipe>& wipe);
    const std::optional<Wipe>& wipe() const { return m_wipe; }
    /// Range and colours of this view alone, whatever the state says; for pictures of another kind.
    void setDisplay(const std::optional<OwnDisplay>& display);
    DisplayRange range() const { return m_display ? m_display->range : m_state->range(); }
    Outside outside() const;
    ColourMap colourMap() const { return m_display ? m_display->map : m_state->colourMap(); }
    /// In which `picture` is shown here: that of labels, where it holds them and the state says so.
    ColourMap colourMapOf(const io::Grid& picture) const;
    /// Drawn in the middle when there is no picture.
    void setMessage(const QString& message);
    /// Not owned. A view without one has a state of its own.
    void setViewState(ViewState* state);
    ViewState* viewState() const { return m_state; }
    /// Whether the reduced levels for the present picture are ready (true at once for a small picture).
    bool settled() const { return m_layer.settled() && m_otherLayer.settled(); }

    /// Drawn in this order, below the crosshair. Not owned; must outlive the view.
    void setOverlays(std::vector<ImageOverlay*> overlays);
    /// Drawn below the overlays, by who shows the picture; null: none.
    void setLegend(std::unique_ptr<ImageOverlay> legend);
    /// While on, dragging draws a rectangle instead of panning.
    void setSelecting(bool on);
    /// While on, dragging draws a line instead of panning.
    void setLining(bool on);

    /// Widget position of a picture point, and back.
    QPointF toWidget(QPointF picture) const;
    QPointF toPicture(QPointF widget) const;
    /// The picture's pixels that are seen, in part at least; empty without a picture.
    QRect seenPixels() const;

signals:
    void settledChanged();
    /// A rectangle was drawn, of at least one pixel and inside the picture.
    void rectangleDrawn(QRect pixels);
    /// A line is being drawn, from pixel to pixel inside the picture.
    void lineDrawn(QPoint from, QPoint to);
    /// The wipe line was dragged, to this share of the view.
    void wipeMoved(double at);
    /// The wipe line was clicked with Ctrl.
    void wipeTurned();
    /// A frame was painted for the first time; milliseconds, measured.
    void framePainted(double ms);
    /// A picture was painted for the first time as it will stay; milliseconds with its reduced levels, measured.
    void picturePainted(double ms);
    /// A click that dragged nothing, or Enter at the cursor.
    void pixelChosen(QPoint pixel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void attach();
    void invalidate() override;
    void paintPictures(QPainter& painter);
    void paintAll(QPainter& painter);
    void leaveFrame(const RenderRequest& request);
    bool holdsWipe(QPointF widget) const;
    void updateViewport();
    void hover(QPointF widget);
    void drawLine();
    void nudge(int dx, int dy);
    /// Of the picture shown: linked panes may show larger ones.
    QRect pixels() const;
    QRect rectangle() const;

    PictureLayer m_layer, m_otherLayer;
    std::optional<SeenFrame> m_frame;
    bool m_pictureNew = false, m_frameNew = false, m_frameLeaving = false;
    std::optional<OwnDisplay> m_display, m_otherDisplay;
    std::optional<Wipe> m_wipe;
    bool m_flipped = false;
    bool m_wiping = false;  ///< the line is being dragged
    QString m_message;
    std::unique_ptr<ViewState> m_own;
    QPointer<ViewState> m_state;
    std::unique_ptr<ImageOverlay> m_legend;
    std::vector<ImageOverlay*> m_overlays;
    bool m_selecting = false, m_lining = false;
    std::optional<QPointF> m_corner, m_opposite;  ///< of the rectangle or line being drawn, picture coordinates
    bool m_dragging = false, m_dragged = false;
    QPointF m_dragFrom;
    QPointF m_dragCentre;
    double m_sliceTurn = 0;  ///< notches not yet a slice
};

}  // namespace warplens::gui
