// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/view_state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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
    if (std::exchange(m_viewport, devicePixels) == devicePixels) return;
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
    if (std::exchange(m_centre, centre) == centre) return;
    m_fitted = false;
    emit viewChanged();
}

void ViewState::setRange(DisplayRange range) {
    if (range == m_range || !std::isfinite(range.low) || !std::isfinite(range.high) || !(range.gamma > 0)) return;
    m_range = range;
    emit displayChanged();
}

void ViewState::setColourMap(ColourMap map) {
    if (std::exchange(m_map, map) != map) emit displayChanged();
}

void ViewState::setMarkOutside(bool on) {
    if (std::exchange(m_markOutside, on) != on) emit displayChanged();
}

void ViewState::setLabelColours(bool on) {
    if (on == m_labelColours) return;
    m_labelColours = on;
    emit displayChanged();
}

void ViewState::setPixelValues(bool on) {
    if (std::exchange(m_pixelValues, on) != on) emit displayChanged();
}

void ViewState::setCursor(std::optional<QPoint> pixel) {
    if (pixel && !QRect(QPoint(), m_picture).contains(*pixel)) pixel.reset();
    if (std::exchange(m_cursor, pixel) != pixel) emit cursorChanged();
}

void ViewState::setSlice(int slice) {
    slice = std::clamp(slice, 0, m_depth - 1);
    if (std::exchange(m_slice, slice) != slice) emit displayChanged();
}

void ViewState::save(QJsonObject& json) const {
    json["fitted"] = m_fitted;
    json["zoom"] = m_zoom;
    json["x"] = m_centre.x();
    json["y"] = m_centre.y();
    json["slice"] = m_slice;
    json["low"] = m_range.low;
    json["high"] = m_range.high;
    json["gamma"] = m_range.gamma;
    json["colours"] = static_cast<int>(m_map);
    json["label_colours"] = m_labelColours;
}

void ViewState::restore(const QJsonObject& json) {
    const DisplayRange range{json["low"].toDouble(m_range.low), json["high"].toDouble(m_range.high),
                             std::clamp(json["gamma"].toDouble(1), 0.1, 10.0)};
    if (range.low < range.high) setRange(range);
    setColourMap(static_cast<ColourMap>(
        std::clamp(json["colours"].toInt(), static_cast<int>(ColourMap::grey), static_cast<int>(ColourMap::labels))));
    setLabelColours(json["label_colours"].toBool(m_labelColours));
    setSlice(json["slice"].toInt(m_slice));
    if (json["fitted"].toBool(true)) return fit();
    setZoom(json["zoom"].toDouble(m_zoom));
    setCentre({json["x"].toDouble(m_centre.x()), json["y"].toDouble(m_centre.y())});
}

ViewLink::ViewLink(ViewState* first, ViewState* second, QObject* parent)
    : QObject(parent), m_first(first), m_second(second) {
    for (const auto& [from, to] : {std::pair(first, second), std::pair(second, first)}) {
        connect(from, &ViewState::viewChanged, this, [this, from, to] { follow(from, to); });
        connect(from, &ViewState::cursorChanged, to, [from, to] { to->setCursor(from->cursor()); });
        connect(from, &ViewState::displayChanged, to, [from, to] { to->setSlice(from->slice()); });
    }
}

void ViewLink::follow(const ViewState* from, ViewState* to) {
    if (!m_linked || m_following) return;
    m_following = true;
    if (from->fitted()) {
        to->fit();
    } else {
        to->setZoom(from->zoom());
        to->setCentre(from->centre());
    }
    m_following = false;
}

void ViewLink::setLinked(bool linked) {
    m_linked = linked;
    follow(m_first, m_second);
}

}  // namespace warplens::gui
