// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/source_layer.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kStays = 2;  // pixels of the source that the picture keeps, so that there is an unknown

const gpu::NamedGrid* sourceOf(const ParameterState& state) {
    const auto* value = std::get_if<std::shared_ptr<const gpu::NamedGrid>>(&state.value("source"));
    return value == nullptr ? nullptr : value->get();
}

}  // namespace

SourceLayer::SourceLayer(ImageView& view, RequestState& request) : QWidget(&view), m_view(view), m_request(request) {
    setObjectName(QStringLiteral("source-layer"));
    setFocusPolicy(Qt::NoFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_NoSystemBackground);
    view.installEventFilter(this);
    connect(&request.parameters(), &ParameterState::changed, this, &SourceLayer::follow);
    connect(&request.parameters(), &ParameterState::familyChanged, this, &SourceLayer::follow);
    connect(&request.document(), &Document::changed, this, &SourceLayer::follow);
    // A drag of the view is none of the source.
    connect(&view, &ImageView::pixelChosen, this, [this](QPoint pixel) {
        const QRect box = source();
        if (!box.isEmpty()) place(pixel - QPoint(box.width() / 2, box.height() / 2));
    });
    follow();
}

QRect SourceLayer::source() const {
    const ParameterState& state = m_request.parameters();
    const gpu::Family* family = state.family();
    if (family == nullptr || family->id() != "sparse" || m_request.document().empty()) return {};
    if (gpu::format(state.value("task")) != "clone") return {};
    const gpu::NamedGrid* source = sourceOf(state);
    if (source == nullptr || source->grid == nullptr) return {};
    const QStringList place = QString::fromStdString(gpu::format(state.value("at"))).split(u',');
    bool x = false, y = false;
    if (place.size() != 2) return {};
    const QPoint at(place[0].toInt(&x), place[1].toInt(&y));
    const io::Shape& s = source->grid->shape();
    if (!x || !y) return {};
    return {at, QSize(static_cast<int>(s.width), static_cast<int>(s.height))};
}

QString SourceLayer::text() const {
    const QRect box = source();
    const QString at = tr("source at %1, %2").arg(format::integer(box.x()), format::integer(box.y()));
    if (!m_drag) return at;
    const QPoint by = box.topLeft() - m_drag->from;
    return at + tr(", moved by %1, %2").arg(format::signedInteger(by.x()), format::signedInteger(by.y()));
}

void SourceLayer::follow() {
    setGeometry(m_view.rect());
    setVisible(!source().isEmpty());
    update();
}

void SourceLayer::place(QPoint at) {
    const QSize size = source().size();
    const io::Shape& s = m_request.document().grid()->shape();
    const auto within = [](int value, int extent, std::int64_t picture) {
        const int most = static_cast<int>(picture) - kStays;
        return std::clamp(value, std::min(kStays - extent, most), most);
    };
    const QPoint kept(within(at.x(), size.width(), s.width), within(at.y(), size.height(), s.height));
    m_request.parameters().set("at", std::to_string(kept.x()) + ',' + std::to_string(kept.y()));
}

bool SourceLayer::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) setGeometry(m_view.rect());
    return QWidget::eventFilter(watched, event);
}

void SourceLayer::mousePressEvent(QMouseEvent* event) {
    const QPointF at = m_view.toPicture(event->position());
    const QRect box = source();
    if (event->button() != Qt::LeftButton || !QRectF(box).contains(at)) return event->ignore();
    m_view.setFocus(Qt::MouseFocusReason);
    m_drag = Drag{at - QPointF(box.topLeft()), box.topLeft()};
    update();
}

void SourceLayer::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = m_view.toPicture(event->position());
    if (m_drag) {
        const QPointF corner = at - m_drag->grip;
        return place({static_cast<int>(std::lround(corner.x())), static_cast<int>(std::lround(corner.y()))});
    }
    if (QRectF(source()).contains(at))
        setCursor(Qt::SizeAllCursor);
    else
        unsetCursor();
    event->ignore();  // the view follows the pixel under the cursor
}

void SourceLayer::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_drag || event->button() != Qt::LeftButton) return event->ignore();
    m_drag.reset();
    update();
}

void SourceLayer::paintEvent(QPaintEvent*) {
    const QRect box = source();
    if (box.isEmpty() || m_view.picture() == nullptr) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF outline(m_view.toWidget(box.topLeft()),
                         m_view.toWidget(QPointF(box.topLeft()) + QPointF(box.width(), box.height())));
    for (const auto& [ink, width] : {std::pair{QColor(0, 0, 0, 190), 3.0}, std::pair{colour(Role::accent), 1.4}}) {
        painter.setPen(QPen(ink, width * lineScale(), m_drag ? Qt::SolidLine : Qt::DashLine));
        painter.drawRect(outline);
    }
    painter.setFont(textFont(TextSize::caption));
    const QString words = text();
    const double wide = painter.fontMetrics().horizontalAdvance(words) + 14;
    // Above the outline, or where that is out of sight at the nearest place that is not.
    const QRectF tag(std::clamp(outline.left(), 4.0, std::max(4.0, width() - wide - 4)),
                     std::clamp(outline.top() - kRowHeight - 4, 4.0, std::max(4.0, height() - kRowHeight - 4.0)), wide,
                     kRowHeight);
    painter.fillRect(tag, QColor(0, 0, 0, 215));
    painter.setPen(Qt::white);
    painter.drawText(tag, Qt::AlignCenter, words);
}

}  // namespace warplens::gui
