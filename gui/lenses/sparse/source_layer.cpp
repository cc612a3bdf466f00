// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/source_layer.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
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

constexpr double kSeen = 5;  // pixels of the screen below which a cell is no box
constexpr int kOwn = 240, kOther = 190;

QColor veil(Role role, int alpha) {
    QColor ink = colour(role);
    ink.setAlpha(alpha);
    return ink;
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

void UnknownsOverlay::setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row) {
    m_rows = std::move(rows);
    m_first = first;
    m_count = count;
    m_row = row;
    if (m_rows == nullptr || m_count == 0) return;
    const auto& of = m_rows->posed;
    const std::int64_t pixel = m_rows->pixelOf(row);
    m_at = {static_cast<int>(pixel % of.width), static_cast<int>(pixel / of.width % of.height)};
    m_slice = static_cast<int>(pixel / of.width / of.height);
}

int UnknownsOverlay::rowAt(int x, int y, int z) const {
    const auto& of = m_rows->posed;
    return m_rows->rowAt((std::int64_t{z} * of.height + y) * of.width + x);
}

bool UnknownsOverlay::reads(QPoint pixel) const {
    const QPoint apart = pixel - m_at;
    if (m_rows->posed.matrix == gpu::sparse::Values::filter)
        return std::max(std::abs(apart.x()), std::abs(apart.y())) <= 2;
    // A row that is kept has its own place alone.
    const bool kept = m_rows->lengths[static_cast<std::size_t>(m_row)] == 1 && !m_rows->unknowns.masked();
    return apart.manhattanLength() <= (kept ? 0 : 1);
}

QString UnknownsOverlay::rowText() const {
    if (m_rows == nullptr || m_count == 0) return {};
    const auto tr = [](const char* text) { return QCoreApplication::translate("UnknownsOverlay", text); };
    const int nonzeros = m_rows->lengths[static_cast<std::size_t>(m_row)];
    const auto& of = m_rows->posed;
    const QString row = tr("row %1: ").arg(format::integer(m_row));
    if (of.matrix == gpu::sparse::Values::filter) return row + tr("%1 weights").arg(nonzeros);
    if (of.matrix == gpu::sparse::Values::diffusion) return row + tr("itself and %1 neighbours").arg(nonzeros - 1);
    if (nonzeros == 1 && !m_rows->unknowns.masked()) return row + tr("kept as it is");
    int beside = (m_at.x() > 0) + (m_at.y() > 0) + (m_at.x() + 1 < of.width) + (m_at.y() + 1 < of.height);
    if (of.depth > 1) beside += (m_slice > 0) + (m_slice + 1 < of.depth);
    const QString known = nonzeros - 1 < beside ? tr("; dashed: known") : QString();
    return row + tr("%1 × itself − %2 neighbours").arg(beside).arg(nonzeros - 1) + known;
}

void UnknownsOverlay::paintCell(QPainter& painter, const QRectF& cell, int row) const {
    const bool chosen = row == m_row, own = row >= m_first && row < m_first + m_count;
    painter.fillRect(cell, chosen ? colour(Role::accentFill) : veil(Role::control, own ? kOwn : kOther));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(own ? colour(Role::text3) : veil(Role::text3, kOther), 1));
    painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
    const QString number = QString::number(row);
    if (painter.fontMetrics().horizontalAdvance(number) > cell.width() - 4 ||
        painter.fontMetrics().height() > cell.height())
        return;
    writeText(painter, cell, Qt::AlignCenter, number, chosen ? Role::onAccent : own ? Role::text1 : Role::text2);
}

/// What the row reads, and what it says, in the upper right corner.
void UnknownsOverlay::paintChosen(QPainter& painter, const ImageView& view) const {
    const auto& of = m_rows->posed;
    const int reach = of.matrix == gpu::sparse::Values::filter ? 2 : 1;
    for (int y = std::max(0, m_at.y() - reach); y <= std::min(of.height - 1, m_at.y() + reach); ++y)
        for (int x = std::max(0, m_at.x() - reach); x <= std::min(of.width - 1, m_at.x() + reach); ++x) {
            if (!reads({x, y})) continue;
            const QRectF cell(view.toWidget(QPointF(x, y)), view.toWidget(QPointF(x + 1, y + 1)));
            const bool known = rowAt(x, y, m_slice) < 0;
            painter.setPen(QPen(Qt::black, 4 * lineScale()));
            painter.drawRect(cell.adjusted(1, 1, -1, -1));
            painter.setPen(QPen(known ? QColor(Qt::white) : colour(Role::accent), 2 * lineScale(),
                                known ? Qt::DashLine : Qt::SolidLine));
            painter.drawRect(cell.adjusted(1, 1, -1, -1));
        }
    const QString text = rowText();
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 16;
    const QRectF box(std::max(4.0, view.width() - wide - 6), 6, wide, kRowHeight);
    painter.fillRect(box, QColor(0, 0, 0, 215));
    painter.setPen(Qt::white);
    painter.drawText(box, Qt::AlignCenter, text);
}

void UnknownsOverlay::paint(QPainter& painter, const ImageView& view) {
    if (m_rows == nullptr || m_count == 0 || view.picture() == nullptr) return;
    const auto& of = m_rows->posed;
    const io::Shape& s = view.picture()->shape();
    if (s.width != of.width || s.height != of.height || s.depth != of.depth) return;
    const QPointF from = view.toPicture({0, 0}), to = view.toPicture(QPointF(view.width(), view.height()));
    const double size = (view.toWidget({1, 0}) - view.toWidget({0, 0})).x();
    painter.setFont(textFont(TextSize::caption));
    painter.setRenderHint(QPainter::Antialiasing);
    if (size < kSeen) return;
    const int z = view.viewState()->slice();
    const auto first = [](double at) { return std::max(0, static_cast<int>(std::floor(at))); };
    for (int y = first(from.y()); y <= std::min(static_cast<double>(of.height - 1), to.y()); ++y)
        for (int x = first(from.x()); x <= std::min(static_cast<double>(of.width - 1), to.x()); ++x) {
            const int row = rowAt(x, y, z);
            // Where every pixel is a row, only this warp's cover the picture.
            if (row < 0 || (!m_rows->unknowns.masked() && (row < m_first || row >= m_first + m_count))) continue;
            paintCell(painter, QRectF(view.toWidget(QPointF(x, y)), view.toWidget(QPointF(x + 1, y + 1))), row);
        }
    if (z == m_slice) paintChosen(painter, view);
}

}  // namespace warplens::gui
