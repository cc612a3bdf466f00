// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QObject>
#include <QSizeF>
#include <array>

namespace warplens::gui {

/// The slices across z, y and x.
enum class SlicePlane { axial, coronal, sagittal };
inline constexpr std::array kSlicePlanes{SlicePlane::axial, SlicePlane::coronal, SlicePlane::sagittal};

/// Which axes (0 x, 1 y, 2 z) a plane shows to the right and downwards, and which it is across. z runs upwards.
struct PlaneAxes {
    int across, right, down;
    bool upwards;  ///< the vertical axis grows upwards
};
constexpr PlaneAxes axesOf(SlicePlane plane) {
    switch (plane) {
        case SlicePlane::axial: return {2, 0, 1, false};
        case SlicePlane::coronal: return {1, 0, 2, true};
        case SlicePlane::sagittal: return {0, 1, 2, true};
    }
    return {};
}

/// What the slices of one volume share: the crosshair, and while linked zoom and centre. Range, colour map and the
/// axial slice are those of a ViewState, which other pages share. Zoom is in screen (device) pixels for the smallest
/// voxel edge: 1 is 100 %. Positions are mm from the volume's outer corner; voxel i covers [i, i + 1) x spacing.
class VolumeState : public QObject {
    Q_OBJECT

public:
    using Voxel = std::array<int, 3>;
    using Position = std::array<double, 3>;

    /// `display` outlives this.
    explicit VolumeState(ViewState& display, QObject* parent = nullptr);

    ViewState& display() const { return m_display; }
    const Voxel& extent() const { return m_extent; }
    /// mm, always positive.
    const Position& spacing() const { return m_spacing; }
    /// Whether the file says where its voxels lie. Where it does not, as pictures of a series, a length is in voxels.
    bool hasGeometry() const { return m_inSpace; }
    double smallestSpacing() const { return std::min({m_spacing[0], m_spacing[1], m_spacing[2]}); }
    const Voxel& crosshair() const { return m_crosshair; }
    bool crosshairShown() const { return m_crosshairShown; }
    bool linked() const { return m_linked; }
    double zoom(SlicePlane plane) const { return look(plane).zoom; }
    /// Device pixels a mm.
    double pixelsPerMm(SlicePlane plane) const { return look(plane).zoom / smallestSpacing(); }
    /// The point in the middle of the pane; its coordinate across the plane means nothing.
    const Position& centre(SlicePlane plane) const { return look(plane).centre; }
    bool fitted(SlicePlane plane) const { return look(plane).fitted; }

    /// Other extents or spacing fit the view and put the crosshair into the middle; the same change nothing.
    void setVolume(const io::Shape& shape, const io::Geometry& geometry);
    /// Size of a plane's canvas in device pixels; keeps a fitted view fitted.
    void setViewport(SlicePlane plane, QSizeF devicePixels);
    /// Zooms so that `anchor` stays where it is on the plane's screen.
    void setZoom(SlicePlane plane, double zoom, const Position& anchor);
    void setCentre(SlicePlane plane, const Position& centre);
    /// Whole volume: the same zoom for all linked planes.
    void fit(SlicePlane plane);

public slots:
    /// Clamped to the volume.
    void setCrosshair(const warplens::gui::VolumeState::Voxel& voxel);
    /// Steps through the slices across `axis`.
    void moveCrosshair(int axis, int by);
    void setCrosshairShown(bool shown);
    /// Linking takes over the look of the axial slice; unlinking starts every slice from the shared one.
    void setLinked(bool linked);

signals:
    /// Zoom or centre of a plane moved.
    void viewChanged();
    void crosshairChanged();
    void volumeChanged();
    void linkedChanged(bool linked);

private:
    struct Look {
        double zoom = 1;
        Position centre{0, 0, 0};
        bool fitted = true;
    };
    Look& look(SlicePlane plane) { return m_linked ? m_shared : m_own[static_cast<std::size_t>(plane)]; }
    const Look& look(SlicePlane plane) const { return m_linked ? m_shared : m_own[static_cast<std::size_t>(plane)]; }
    double fitZoom(SlicePlane plane) const;
    Position clamped(Position position) const;
    void fitAll();

    ViewState& m_display;
    Voxel m_extent{1, 1, 1};
    Position m_spacing{1, 1, 1};
    bool m_inSpace = false;
    Voxel m_crosshair{0, 0, 0};
    Look m_shared;
    std::array<Look, 3> m_own;
    std::array<QSizeF, 3> m_viewport;
    bool m_linked = true;
    bool m_crosshairShown = true;
};

}  // namespace warplens::gui
