// SPDX-License-Identifier: Apache-2.0
#include "gui/session/volume_state.hpp"

#include "gpu/render/view.hpp"
#include "io/in_space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

/// As for pictures: a small volume is not blown up further than this by fitting.
constexpr double kMaxFit = 16;

}  // namespace

VolumeState::VolumeState(ViewState& display, QObject* parent) : QObject(parent), m_display(display) {
    connect(&display, &ViewState::displayChanged, this, [this] {
        // Another page may have chosen another slice, or show another volume for a moment.
        if (m_display.depth() == m_extent[2] && m_display.slice() != m_crosshair[2])
            setCrosshair({m_crosshair[0], m_crosshair[1], m_display.slice()});
    });
}

void VolumeState::setVolume(const io::Shape& shape, const io::Geometry& geometry) {
    const Voxel extent{static_cast<int>(shape.width), static_cast<int>(shape.height), static_cast<int>(shape.depth)};
    const Position spacing = gpu::render::drawnSpacing(geometry);
    const bool hasGeometry = io::hasGeometry(geometry);
    if (extent == m_extent && spacing == m_spacing && hasGeometry == m_inSpace) return;
    m_extent = extent;
    m_spacing = spacing;
    m_inSpace = hasGeometry;
    // Another page may show pictures of other extents beside this volume.
    if (m_display.depth() < extent[2]) m_display.setPictureSize({extent[0], extent[1]}, extent[2]);
    const bool shared = m_display.depth() == extent[2];
    m_crosshair = {extent[0] / 2, extent[1] / 2, shared ? m_display.slice() : extent[2] / 2};
    fitAll();
    emit volumeChanged();
    emit crosshairChanged();
}

double VolumeState::fitZoom(SlicePlane plane) const {
    double zoom = kMaxFit;
    for (const SlicePlane p : kSlicePlanes) {
        const QSizeF viewport = m_viewport[static_cast<std::size_t>(p)];
        if ((!m_linked && p != plane) || viewport.isEmpty()) continue;
        const PlaneAxes axes = axesOf(p);
        const auto mm = [this](int axis) {
            const auto a = static_cast<std::size_t>(axis);
            return m_extent[a] * m_spacing[a];
        };
        zoom = std::min({zoom, smallestSpacing() * viewport.width() / mm(axes.right),
                         smallestSpacing() * viewport.height() / mm(axes.down)});
    }
    return zoom;
}

VolumeState::Position VolumeState::clamped(Position position) const {
    for (std::size_t a = 0; a < 3; ++a) position[a] = std::clamp(position[a], 0.0, m_extent[a] * m_spacing[a]);
    return position;
}

void VolumeState::setViewport(SlicePlane plane, QSizeF devicePixels) {
    QSizeF& kept = m_viewport[static_cast<std::size_t>(plane)];
    if (kept == devicePixels) return;
    kept = devicePixels;
    if (look(plane).fitted) fit(plane);
}

void VolumeState::setZoom(SlicePlane plane, double zoom, const Position& anchor) {
    Look& l = look(plane);
    const double longest = std::max({m_extent[0], m_extent[1], m_extent[2]});
    zoom = std::clamp(zoom, std::min({1.0, fitZoom(plane), 16 / longest}), ViewState::kMaxZoom);
    if (std::abs(zoom - 1) < 1e-6) zoom = 1;
    if (zoom == l.zoom && !l.fitted) return;
    const PlaneAxes axes = axesOf(plane);
    Position centre = l.centre;
    for (const int axis : {axes.right, axes.down}) {
        const auto a = static_cast<std::size_t>(axis);
        centre[a] = anchor[a] + (centre[a] - anchor[a]) * (l.zoom / zoom);
    }
    l = {zoom, clamped(centre), false};
    emit viewChanged();
}

void VolumeState::setCentre(SlicePlane plane, const Position& centre) {
    Look& l = look(plane);
    const Position wanted = clamped(centre);
    if (wanted == l.centre) return;
    l.centre = wanted;
    l.fitted = false;
    emit viewChanged();
}

void VolumeState::fit(SlicePlane plane) {
    Position centre{};
    for (std::size_t a = 0; a < 3; ++a) centre[a] = m_extent[a] * m_spacing[a] / 2;
    look(plane) = {fitZoom(plane), centre, true};
    emit viewChanged();
}

void VolumeState::fitAll() {
    for (const SlicePlane plane : kSlicePlanes) fit(plane);
}

void VolumeState::setCrosshair(const Voxel& voxel) {
    Voxel inside{};
    for (std::size_t a = 0; a < 3; ++a) inside[a] = std::clamp(voxel[a], 0, m_extent[a] - 1);
    if (std::exchange(m_crosshair, inside) == inside) return;
    m_display.setSlice(inside[2]);
    emit crosshairChanged();
}

void VolumeState::moveCrosshair(int axis, int by) {
    Voxel to = m_crosshair;
    int& at = to[static_cast<std::size_t>(axis)];
    // Far steps mean the first or the last slice.
    at = static_cast<int>(
        std::clamp<std::int64_t>(std::int64_t{at} + by, 0, m_extent[static_cast<std::size_t>(axis)] - 1));
    setCrosshair(to);
}

void VolumeState::setCrosshairShown(bool shown) {
    if (std::exchange(m_crosshairShown, shown) != shown) emit crosshairChanged();
}

void VolumeState::setLinked(bool linked) {
    if (linked == m_linked) return;
    if (linked)
        m_shared = m_own[static_cast<std::size_t>(SlicePlane::axial)];
    else
        m_own.fill(m_shared);
    m_linked = linked;
    if (m_linked && m_shared.fitted) fit(SlicePlane::axial);
    emit linkedChanged(linked);
    emit viewChanged();
}

}  // namespace warplens::gui
