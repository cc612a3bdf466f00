// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QSize>
#include <QSizeF>
#include <optional>

namespace warplens::gui {

/// The stored values shown as black and white. low == high is a step; low > high inverts. A gamma above 1 brightens
/// what lies between: a share t of the range is shown as t^(1/gamma), except about zero and of labels.
struct DisplayRange {
    double low = 0, high = 255, gamma = 1;
    bool operator==(const DisplayRange&) const = default;
};

/// How one-channel pictures get colours. Colour pictures are shown as they are, through the range alone.
enum class ColourMap {
    grey,
    diverging,  ///< blue below the middle of the range, neutral at it, orange above; for signed results
    viridis,
    cividis,
    magma,
    inferno,
    turbo,
    labels,  ///< a colour of its own for every integer, whatever the range
};

/// What values outside the range are shown as.
enum class Outside {
    clamped,  ///< as those at its ends
    marked,   ///< in colours of their own
    blank,    ///< what lies below as the ground: it is no value
};

/// Range and colours of one view alone.
struct OwnDisplay {
    DisplayRange range;
    ColourMap map = ColourMap::grey;
    bool blankBelow = false;
    bool operator==(const OwnDisplay&) const = default;
};

/// What linked panes share: zoom, centre, range, colour map, slice and the pixel under the cursor.
/// Zoom is in screen (device) pixels a picture pixel: 1 is 100 %. Positions are picture coordinates, in which
/// pixel (x, y) covers [x, x+1) x [y, y+1). While fitted, zoom and centre follow the size of the panes.
class ViewState : public QObject {
    Q_OBJECT

public:
    static constexpr double kMaxZoom = 128;

    explicit ViewState(QObject* parent = nullptr);

    double zoom() const { return m_zoom; }
    QPointF centre() const { return m_centre; }
    bool fitted() const { return m_fitted; }
    QSize pictureSize() const { return m_picture; }
    DisplayRange range() const { return m_range; }
    ColourMap colourMap() const { return m_map; }
    /// Whether values outside the range are shown in colours of their own.
    bool markOutside() const { return m_markOutside; }
    /// Whether pictures of labels are shown in ColourMap::labels, whatever the map of the others.
    bool labelColours() const { return m_labelColours; }
    /// Whether values are written on pixels that are large enough.
    bool pixelValues() const { return m_pixelValues; }
    /// The pixel under the cursor in any pane, or none.
    std::optional<QPoint> cursor() const { return m_cursor; }
    /// Slice of a volume, 0 to depth() - 1; 0 for a picture.
    int slice() const { return m_slice; }
    int depth() const { return m_depth; }

    /// A new picture size fits the view, forgets the cursor and shows the middle slice; the same size changes nothing.
    void setPictureSize(QSize size, int depth = 1);
    /// Size of a pane's canvas in device pixels; keeps a fitted view fitted.
    void setViewport(QSizeF devicePixels);

    /// For a session's file, and back; what is absent stays as it is.
    void save(QJsonObject& json) const;
    void restore(const QJsonObject& json);

public slots:
    /// Zooms so that picture point `anchor` stays where it is on screen. Clamped: not above kMaxZoom, and not below
    /// both the fit and a longest side of 16 screen pixels.
    void setZoom(double zoom, QPointF anchor);
    void setZoom(double zoom) { setZoom(zoom, m_centre); }
    void zoomIn() { setZoom(m_zoom * 1.25); }
    void zoomOut() { setZoom(m_zoom / 1.25); }
    /// Whole picture, F; a picture smaller than the pane is enlarged, up to 16 times.
    void fit();
    /// 100 %, Ctrl+0.
    void actualSize() { setZoom(1.0); }
    /// Moves the centre; the middle of the pane stays on the picture.
    void setCentre(QPointF centre);
    void setRange(warplens::gui::DisplayRange range);
    /// Black and white alone; gamma stays.
    void setEnds(warplens::gui::DisplayRange ends) { setRange({ends.low, ends.high, m_range.gamma}); }
    void setColourMap(warplens::gui::ColourMap map);
    void setMarkOutside(bool on);
    void setLabelColours(bool on);
    void setPixelValues(bool on);
    void setCursor(std::optional<QPoint> pixel);
    /// Clamped to the slices there are.
    void setSlice(int slice);

signals:
    /// Zoom or centre moved.
    void viewChanged();
    /// Range, colour map, slice or depth changed: what is seen of each value.
    void displayChanged();
    void cursorChanged();

private:
    QPointF clamped(QPointF centre) const;
    double fitZoom() const;

    QSize m_picture;
    QSizeF m_viewport{1, 1};
    QPointF m_centre;
    double m_zoom = 1;
    bool m_fitted = true;
    DisplayRange m_range;
    ColourMap m_map = ColourMap::grey;
    bool m_markOutside = false, m_labelColours = true, m_pixelValues = true;
    std::optional<QPoint> m_cursor;
    int m_slice = 0, m_depth = 1;
};

/// Keeps cursor pixel and slice of two views of one picture the same, and while linked zoom and centre as well; what
/// is seen of each value stays their own.
class ViewLink : public QObject {
    Q_OBJECT
public:
    ViewLink(ViewState* first, ViewState* second, QObject* parent);
    bool linked() const { return m_linked; }
    /// Linking takes over the first view's.
    void setLinked(bool linked);

private:
    void follow(const ViewState* from, ViewState* to);

    ViewState *m_first, *m_second;
    bool m_linked = true;
    bool m_following = false;
};

}  // namespace warplens::gui
