// SPDX-License-Identifier: Apache-2.0
#include "gui/views/view_state.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

/// A small picture is not blown up further than this by fitting; its pixels then are plain to see.
constexpr double kMaxFit = 16;

}  // namespace

ViewState::ViewState(QObject* parent) : QObject(parent) {}

double ViewState::fitZoom() const {
    if (m_picture.isEmpty()) return 1;
    return std::min({m_viewport.width() / m_picture.width(), m_viewport.height() / m_picture.height(), kMaxFit});
}

QPointF ViewState::clamped(QPointF centre) const {
    // The middle of the pane stays on the picture, so that it cannot be lost.
    return {std::clamp(centre.x(), 0.0, static_cast<double>(m_picture.width())),
            std::clamp(centre.y(), 0.0, static_cast<double>(m_picture.height()))};
}

void ViewState::setPictureSize(QSize size, int depth) {
    if (size == m_picture && depth == m_depth) return;
    const bool otherDepth = depth != m_depth;
    m_picture = size;
    m_depth = depth;
    m_slice = depth / 2;
    setCursor(std::nullopt);
    fit();
    if (otherDepth) emit displayChanged();
}

void ViewState::setViewport(QSizeF devicePixels) {
    if (devicePixels == m_viewport) return;
    m_viewport = devicePixels;
    if (m_fitted) fit();
}

void ViewState::setZoom(double zoom, QPointF anchor) {
    const double longest = std::max({1, m_picture.width(), m_picture.height()});
    const double lowest = std::min({1.0, fitZoom(), 16 / longest});
    zoom = std::clamp(zoom, lowest, kMaxZoom);
    // A hundred per cent is reached exactly, however it is approached.
    if (std::abs(zoom - 1) < 1e-6) zoom = 1;
    if (zoom == m_zoom && !m_fitted) return;
    m_centre = clamped(anchor + (m_centre - anchor) * (m_zoom / zoom));
    m_zoom = zoom;
    m_fitted = false;
    emit viewChanged();
}

void ViewState::fit() {
    m_fitted = true;
    m_zoom = fitZoom();
    m_centre = {m_picture.width() / 2.0, m_picture.height() / 2.0};
    emit viewChanged();
}

void ViewState::setCentre(QPointF centre) {
    centre = clamped(centre);
    if (centre == m_centre) return;
    m_centre = centre;
    m_fitted = false;
    emit viewChanged();
}

void ViewState::setRange(DisplayRange range) {
    if (range == m_range || !std::isfinite(range.low) || !std::isfinite(range.high)) return;
    m_range = range;
    emit displayChanged();
}

void ViewState::setColourMap(ColourMap map) {
    if (map == m_map) return;
    m_map = map;
    emit displayChanged();
}

void ViewState::setMarkOutside(bool on) {
    if (on == m_markOutside) return;
    m_markOutside = on;
    emit displayChanged();
}

void ViewState::setPixelValues(bool on) {
    if (on == m_pixelValues) return;
    m_pixelValues = on;
    emit displayChanged();
}

void ViewState::setCursor(std::optional<QPoint> pixel) {
    if (pixel && !QRect(QPoint(), m_picture).contains(*pixel)) pixel.reset();
    if (pixel == m_cursor) return;
    m_cursor = pixel;
    emit cursorChanged();
}

void ViewState::setSlice(int slice) {
    slice = std::clamp(slice, 0, m_depth - 1);
    if (slice == m_slice) return;
    m_slice = slice;
    emit displayChanged();
}

}  // namespace warplens::gui
