// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/image_view.hpp"

#include "gui/picture/pixel_values.hpp"
#include "gui/picture/value_colours.hpp"

#include <QElapsedTimer>
#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

/// Four strokes around the pixel, white on a dark edge, so that they show on any picture.
/// `clear` is left free around it: the value written on a large pixel.
void drawCrosshair(QPainter& painter, QPointF at, double clear) {
    painter.setRenderHint(QPainter::Antialiasing);
    const double inner = std::max(4.0, clear), outer = inner + 9;
    const QLineF strokes[] = {
        {-outer, 0, -inner, 0}, {inner, 0, outer, 0}, {0, -outer, 0, -inner}, {0, inner, 0, outer}};
    for (const auto& [ink, width] : {std::pair{QColor(0, 0, 0, 153), 3.4}, std::pair{QColor(Qt::white), 1.6}}) {
        painter.setPen(QPen(ink, width * lineScale(), Qt::SolidLine, Qt::FlatCap));
        for (const QLineF& stroke : strokes) painter.drawLine(stroke.translated(at));
    }
}

QPointF middleOf(QSize size) { return {size.width() / 2.0, size.height() / 2.0}; }

}  // namespace

ImageView::ImageView(QWidget* parent) : Canvas(parent), m_own(std::make_unique<ViewState>()) {
    setMouseTracking(true);
    setAccessibleName(tr("Picture"));
    m_state = m_own.get();
    attach();
    for (PictureLayer* layer : {&m_layer, &m_otherLayer})
        connect(layer, &PictureLayer::settledChanged, this, [this] {
            update();
            emit settledChanged();
        });
}

ImageView::~ImageView() = default;

void ImageView::attach() {
    connect(m_state, &ViewState::viewChanged, this, &ImageView::invalidate);
    connect(m_state, &ViewState::displayChanged, this, [this] {
        m_layer.sliceChanged();
        m_otherLayer.sliceChanged();
        update();
    });
    connect(m_state, &ViewState::cursorChanged, this, [this] { update(); });
}

void ImageView::setViewState(ViewState* state) {
    if (!state) state = m_own.get();
    if (state == m_state) return;
    if (m_state) m_state->disconnect(this);
    m_state = state;
    attach();
    updateViewport();
    invalidate();
}

void ImageView::setPicture(std::shared_ptr<const io::Grid> picture) {
    if (picture == m_layer.picture()) return;
    m_layer.setPicture(std::move(picture));
    m_pictureNew = m_layer.picture() != nullptr;
    if (m_layer.picture() && m_state == m_own.get()) {
        const io::Shape& shape = m_layer.picture()->shape();
        m_state->setPictureSize({static_cast<int>(shape.width), static_cast<int>(shape.height)},
                                static_cast<int>(shape.depth));
    }
    update();
}

void ImageView::setOther(std::shared_ptr<const io::Grid> picture, const std::optional<OwnDisplay>& display) {
    m_otherLayer.setPicture(std::move(picture));
    m_otherDisplay = display;
    if (m_flipped || m_wipe) update();
}

void ImageView::setFlipped(bool flipped) {
    if (std::exchange(m_flipped, flipped) != flipped) update();
}

void ImageView::setWipe(const std::optional<Wipe>& wipe) {
    if (std::exchange(m_wipe, wipe) == wipe) return;
    m_wiping = m_wiping && wipe;
    update();
}

void ImageView::setDisplay(const std::optional<OwnDisplay>& display) {
    if (std::exchange(m_display, display) != display) invalidate();
}

void ImageView::setMessage(const QString& message) {
    if (std::exchange(m_message, message) != message) update();
}

void ImageView::invalidate() {
    m_layer.invalidate();
    m_otherLayer.invalidate();
    update();
}

QPointF ImageView::toWidget(QPointF picture) const {
    const double scale = m_state->zoom() / devicePixelRatioF();
    return (picture - m_state->centre()) * scale + QPointF(width() / 2.0, height() / 2.0);
}

QPointF ImageView::toPicture(QPointF widget) const {
    const double scale = m_state->zoom() / devicePixelRatioF();
    return (widget - QPointF(width() / 2.0, height() / 2.0)) / scale + m_state->centre();
}

QRect ImageView::seenPixels() const {
    const auto shown = picture();
    if (!shown) return {};
    const io::Shape& shape = shown->shape();
    const QPointF first = toPicture(QPointF(0, 0)), last = toPicture(QPointF(width(), height()));
    const auto within = [](double at, std::int64_t most) {
        return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(most)));
    };
    const QPoint from(within(std::floor(first.x()), shape.width), within(std::floor(first.y()), shape.height));
    const QPoint to(within(std::ceil(last.x()), shape.width), within(std::ceil(last.y()), shape.height));
    return {from, QSize(to.x() - from.x(), to.y() - from.y())};
}

Outside ImageView::outside() const {
    if (m_display) return m_display->blankBelow ? Outside::blank : Outside::clamped;
    return m_state->markOutside() ? Outside::marked : Outside::clamped;
}

ColourMap ImageView::colourMapOf(const io::Grid& picture) const {
    return mapFor(picture, colourMap(), m_state->labelColours() && !m_display);
}

RenderRequest ImageView::lookedAt() const {
    const double dpr = devicePixelRatioF();
    RenderRequest request;
    request.size = {static_cast<int>(std::ceil(width() * dpr)), static_cast<int>(std::ceil(height() * dpr))};
    request.centre = m_state->centre();
    request.zoom = m_state->zoom();
    request.slice = m_state->slice();
    request.range = range();
    request.map = colourMap();
    request.labelColours = m_state->labelColours() && !m_display;
    request.outside = outside();
    request.surround = surroundColour().rgb();
    return request;
}

void ImageView::setFrame(SeenFrame frame) {
    m_frame = std::move(frame);
    m_frameNew = true;
    m_frameLeaving = false;
    update();
}

void ImageView::releaseFrame() {
    m_frameLeaving = m_frame.has_value();
    if (m_frameLeaving) update();
}

void ImageView::leaveFrame(const RenderRequest& request) {
    // Held until the picture looks the same: nothing flickers when it takes over.
    if (!m_frameLeaving || (m_layer.picture() != nullptr && !m_layer.ready(request))) return;
    m_frame.reset();
    m_frameLeaving = false;
}

void ImageView::paintPictures(QPainter& painter) {
    const double dpr = devicePixelRatioF();
    const RenderRequest request = lookedAt();
    const bool other = m_otherLayer.picture() != nullptr;
    RenderRequest ofOther = request;
    if (m_otherDisplay) ofOther.range = m_otherDisplay->range;
    leaveFrame(request);
    if (other && m_flipped) return painter.drawImage(QPointF(), m_otherLayer.drawn(ofOther, dpr));
    if (m_frame)
        m_frame->paint(painter, request, dpr);
    else if (m_layer.picture() != nullptr)
        painter.drawImage(QPointF(), m_layer.drawn(request, dpr));
    else
        return;
    if (!other || !m_wipe) return;
    painter.save();
    painter.setClipRect(m_wipe->otherSide(size()));
    painter.drawImage(QPointF(), m_otherLayer.drawn(ofOther, dpr));
    painter.restore();
}

void ImageView::paintEvent(QPaintEvent*) {
    QElapsedTimer clock;
    clock.start();
    QPainter painter(this);
    paintAll(painter);
    painter.end();
    const double ms = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
    if (std::exchange(m_frameNew, false)) emit framePainted(ms);
    if (!m_pictureNew || m_frame || m_flipped || !m_layer.settled()) return;
    m_pictureNew = false;
    emit picturePainted(ms + m_layer.levelsMs());
}

void ImageView::paintAll(QPainter& painter) {
    const bool other = m_otherLayer.picture() != nullptr;
    if (m_layer.picture() == nullptr && !m_frame && !(other && m_flipped)) {
        painter.fillRect(rect(), surroundColour());
        return paintMessage(painter, m_message);
    }
    paintPictures(painter);
    const bool seenOther = other && m_flipped;
    const auto& seen = seenOther ? m_otherLayer.picture() : m_layer.picture();
    // A frame's values are not here yet.
    const bool valuesHere = seen != nullptr && (seenOther || !m_frame);
    if (m_state->pixelValues() && !m_wipe && valuesHere) paintPixelValues(painter, *this, *seen);
    for (ImageOverlay* overlay : m_overlays) {
        painter.save();
        overlay->paint(painter, *this);
        painter.restore();
    }
    if (m_legend) m_legend->paint(painter, *this);
    if (const QRect box = rectangle(); !box.isEmpty()) {
        painter.setPen(QPen(colour(Role::accent), 2));
        painter.drawRect(
            QRectF(toWidget(box.topLeft()), toWidget(QPointF(box.topLeft()) + QPointF(box.width(), box.height()))));
    }
    if (other && m_wipe && !m_flipped) m_wipe->paint(painter, size());
    const double cell = m_state->zoom() / devicePixelRatioF();
    const bool written = m_state->pixelValues() && cell >= kValuesFrom;
    if (const auto cursor = m_state->cursor())
        drawCrosshair(painter, toWidget(QPointF(*cursor) + QPointF(0.5, 0.5)), written ? cell / 2 : 0);
}

bool ImageView::holdsWipe(QPointF widget) const {
    return m_wipe && m_otherLayer.picture() != nullptr && m_layer.picture() != nullptr && m_wipe->holds(widget, size());
}

void ImageView::updateViewport() {
    if (m_state && isVisible()) m_state->setViewport(QSizeF(size()) * devicePixelRatioF());
}

void ImageView::resizeEvent(QResizeEvent*) {
    updateViewport();
    invalidate();
}

QRect ImageView::pixels() const {
    if (m_layer.picture() == nullptr) return {};
    const io::Shape& shape = m_layer.picture()->shape();
    return {0, 0, static_cast<int>(shape.width), static_cast<int>(shape.height)};
}

QRect ImageView::rectangle() const {
    if (!m_corner || m_lining || *m_corner == *m_opposite) return {};
    const QRectF drawn = QRectF(*m_corner, *m_opposite).normalized();
    // Every pixel that was touched.
    return drawn.toAlignedRect().intersected(pixels());
}

void ImageView::setOverlays(std::vector<ImageOverlay*> overlays) {
    if (overlays.empty() && m_overlays.empty()) return;
    m_overlays = std::move(overlays);
    update();
}

void ImageView::setLegend(std::unique_ptr<ImageOverlay> legend) {
    m_legend = std::move(legend);
    update();
}

void ImageView::setSelecting(bool on) {
    m_selecting = on;
    m_corner.reset();
    if (on)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
    update();
}

void ImageView::setLining(bool on) {
    if (std::exchange(m_lining, on) == on) return;
    m_corner.reset();
    if (on)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
}

void ImageView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    updateViewport();
}

void SeenFrame::paint(QPainter& painter, const RenderRequest& now, double devicePixelRatio) const {
    painter.save();
    painter.scale(1 / devicePixelRatio, 1 / devicePixelRatio);
    painter.fillRect(QRect(QPoint(), now.size), QColor(now.surround));
    if (now.centre != request.centre || now.zoom != request.zoom || now.size != request.size) {
        painter.translate(middleOf(now.size) + (request.centre - now.centre) * now.zoom);
        painter.scale(now.zoom / request.zoom, now.zoom / request.zoom);
        painter.translate(-middleOf(request.size));
    }
    painter.drawImage(at, image);
    painter.restore();
}

}  // namespace warplens::gui
