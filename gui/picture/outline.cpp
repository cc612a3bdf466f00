// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/outline.hpp"

#include "gui/kit/paint.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace warplens::gui {

namespace {

constexpr Length kTagHeight{22}, kTagInset{7};
constexpr double kAwayFromBox = 6;

}  // namespace

void OutlineOverlay::paint(QPainter& painter, const ImageView& view) {
    if (!m_rule || view.picture() == nullptr) return;
    const ScreenPixels screen(view);
    const int width = screen.size.width(), height = screen.size.height();
    const auto z = view.viewState()->slice();
    std::vector<std::int64_t> above(static_cast<std::size_t>(width)), here(above);
    std::vector<QPoint> edge;
    for (int j = 0; j < height; ++j) {
        const std::int64_t y = screen.down[static_cast<std::size_t>(j)];
        if (y < 0 || j == 0 || y != screen.down[static_cast<std::size_t>(j) - 1])  // else the line above again
            for (std::size_t i = 0; i < here.size(); ++i) {
                const std::int64_t x = screen.across[i];
                const bool same = i > 0 && screen.across[i - 1] == x;
                here[i] = same ? here[i - 1] : x < 0 || y < 0 ? 0 : m_rule(x, y, z);
            }
        for (int i = 0; i < width; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const bool changes = (i > 0 && here[at] != here[at - 1]) || (j > 0 && here[at] != above[at]);
            if (changes) edge.emplace_back(i, j);
        }
        above = here;
    }
    QImage image(screen.size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const auto dots = [&](QRgb ink, int around) {
        for (const QPoint& p : edge)
            for (int y = std::max(0, p.y() - around); y <= std::min(height - 1, p.y() + around); ++y) {
                auto* row = reinterpret_cast<QRgb*>(image.scanLine(y));
                std::fill(row + std::max(0, p.x() - around), row + std::min(width - 1, p.x() + around) + 1, ink);
            }
    };
    const int wide = qRound(lineScale() * screen.ratio) - 1;
    if (m_line == Line::bright) {
        dots(qRgba(0, 0, 0, 255), 1 + wide);
        dots(qRgba(255, 255, 255, 255), wide);
    } else {
        dots(qRgba(150, 150, 150, 255), wide);
    }
    image.setDevicePixelRatio(screen.ratio);
    painter.drawImage(QPointF(), image);
}

void BoxTag::set(const QRectF& pixels, const QString& text, std::optional<Origin> origin) {
    m_pixels = pixels;
    m_text = text;
    m_origin = origin;
}

void BoxTag::paint(QPainter& painter, const ImageView& view) {
    if (m_pixels.isEmpty() || view.picture() == nullptr) return;
    const QRectF box(view.toWidget(m_pixels.topLeft()), view.toWidget(m_pixels.bottomRight()));
    if (!box.intersects(view.rect())) return;
    if (m_box == Box::drawn) {
        for (const auto& [ink, width] : {std::pair{QColor(0, 0, 0, 153), 4.0}, std::pair{colour(Role::accent), 2.0}}) {
            painter.setPen(QPen(ink, width * lineScale()));
            painter.drawRect(box);
        }
    }
    if (m_text.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(textFont(TextSize::caption));
    const double glyph = m_origin ? kGlyphBox + 5 : 0;
    const double wide = painter.fontMetrics().horizontalAdvance(m_text) + 2 * kTagInset + glyph;
    // Right of the box, else left of it, else within the view.
    double left = box.right() + kAwayFromBox;
    if (left + wide > view.width() && box.left() - kAwayFromBox - wide >= 0) left = box.left() - kAwayFromBox - wide;
    left = std::clamp(left, 0.0, std::max(0.0, view.width() - wide));
    const double top =
        std::clamp(box.center().y() - kTagHeight / 2.0, 0.0, std::max(0.0, view.height() - 1.0 * kTagHeight));
    const QRectF tag(left, top, wide, kTagHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 215));  // white on nearly black: it stands on a picture, whatever the scheme
    painter.drawRoundedRect(tag, 2, 2);
    painter.setPen(Qt::white);
    painter.drawText(tag.adjusted(kTagInset, 0, -kTagInset, 0), Qt::AlignLeft | Qt::AlignVCenter, m_text);
    if (m_origin)
        drawOriginGlyph(
            painter,
            QRectF(tag.right() - kTagInset - kGlyphBox, tag.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox),
            *m_origin, Role::onAccent, Role::canvas);
}

}  // namespace warplens::gui
