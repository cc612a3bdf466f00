// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/unknowns_overlay.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kSeen = 5;  // pixels of the screen below which a cell is no box
constexpr int kOwn = 240, kOther = 190;

QColor veil(Role role, int alpha) {
    QColor ink = colour(role);
    ink.setAlpha(alpha);
    return ink;
}

}  // namespace

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
