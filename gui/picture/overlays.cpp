// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/overlays.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/render.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kWidth{176}, kHeight{34}, kBar{8}, kInset{10};

constexpr Length kLeastMark{7}, kRoom{2};

}  // namespace

ScreenPixels::ScreenPixels(const ImageView& view) : ratio(view.devicePixelRatioF()) {
    size = {static_cast<int>(std::ceil(view.width() * ratio)), static_cast<int>(std::ceil(view.height() * ratio))};
    if (view.picture() == nullptr) return;
    const ViewState& state = *view.viewState();
    const auto& shape = view.picture()->shape();
    const auto places = [&](int screen, double centre, std::int64_t extent) {
        std::vector<std::int64_t> at(static_cast<std::size_t>(screen), -1);
        for (int i = 0; i < screen; ++i) {
            const double position = centre + (i + 0.5 - screen / 2.0) / state.zoom();
            if (position >= 0 && position < static_cast<double>(extent))
                at[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(position);
        }
        return at;
    };
    across = places(size.width(), state.centre().x(), shape.width);
    down = places(size.height(), state.centre().y(), shape.height);
}

void PixelOverlay::paint(QPainter& painter, const ImageView& view) {
    if (!m_rule || view.picture() == nullptr) return;
    const ScreenPixels screen(view);
    const auto& [size, dpr, across, down] = screen;
    const std::int64_t slice = view.viewState()->slice();
    QImage image(size, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    for (int j = 0; j < size.height(); ++j) {
        const std::int64_t y = down[static_cast<std::size_t>(j)];
        if (y < 0) continue;
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(j));
        for (int i = 0; i < size.width(); ++i) {
            const std::int64_t x = across[static_cast<std::size_t>(i)];
            if (x < 0) continue;
            // At 100 % and above neighbours show the same pixel.
            const bool same = i > 0 && across[static_cast<std::size_t>(i) - 1] == x;
            line[i] = same ? line[i - 1] : m_rule(x, y, slice);
        }
    }
    image.setDevicePixelRatio(dpr);
    painter.drawImage(QPointF(), image);
}

void RectangleOverlay::paint(QPainter& painter, const ImageView& view) {
    if (m_pixels.isEmpty()) return;
    const QPointF topLeft = view.toWidget(m_pixels.topLeft());
    const QPointF bottomRight =
        view.toWidget(QPointF(m_pixels.topLeft()) + QPointF(m_pixels.width(), m_pixels.height()));
    painter.setPen(QPen(QColor(0, 0, 0, 153), 4));
    painter.drawRect(QRectF(topLeft, bottomRight));
    painter.setPen(QPen(colour(Role::accent), 2));
    painter.drawRect(QRectF(topLeft, bottomRight));
}

void ColourLegend::paint(QPainter& painter, const ImageView& view) {
    // In a narrow pane as short as its words allow, as it stands on the picture.
    const QFontMetrics metrics(textFont(TextSize::caption));
    const int words = metrics.horizontalAdvance(m_low + m_what + m_high) + 2 * kGap + 2 * kInset;
    const int wide = std::max(words, std::min<int>(kWidth, view.width() * 2 / 5));
    const QRect box(view.width() - wide - kGap, view.height() - kHeight - kGap, wide, kHeight);
    // White on nearly black: it stands on a picture, whatever the scheme.
    painter.fillRect(box, QColor(0, 0, 0, 215));
    const int length = wide - 2 * kInset;
    for (int i = 0; i < length; ++i)
        painter.fillRect(
            QRect(box.left() + kInset + i, box.top() + kInset / 2, 1, kBar),
            QColor::fromRgb(mapped(i, {0, static_cast<double>(length - 1)}, m_map, surroundColour().rgb())));
    const QRect line(box.left() + kInset, box.top() + kInset / 2 + kBar, length, kHeight - kInset / 2 - kBar);
    painter.setFont(textFont(TextSize::caption));
    painter.setPen(Qt::white);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_low);
    // Between the two, not in the middle of all: one of them may be much the longer.
    painter.drawText(line.adjusted(metrics.horizontalAdvance(m_low), 0, -metrics.horizontalAdvance(m_high), 0),
                     Qt::AlignCenter, m_what);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, m_high);
}

void BoxReadsOverlay::paint(QPainter& painter, const ImageView& view) {
    if (!m_reads) return;
    RectangleOverlay box;
    box.setRectangle(m_reads->box);
    box.paint(painter, view);
    painter.setFont(boldFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    for (const BoxReads::Corner& corner : m_reads->corners) {
        const QPointF from = view.toWidget(corner.at), to = view.toWidget(corner.at + QPoint(1, 1));
        // A pixel may be smaller than a screen's.
        const double side = std::max<double>(kLeastMark, to.x() - from.x());
        const QPointF middle = (from + to) / 2;
        const QRectF mark(middle.x() - side / 2, middle.y() - side / 2, side, side);
        painter.fillRect(mark.adjusted(-1, -1, 1, 1), Qt::black);
        painter.fillRect(mark, colour(Role::accent));
        // Outwards, so that the box stays free.
        const QSizeF size(metrics.horizontalAdvance(corner.name) + 2 * kRoom, metrics.height());
        const bool left = corner.at.x() < m_reads->box.left(), above = corner.at.y() < m_reads->box.top();
        const QRectF name(left ? mark.left() - size.width() : mark.right(),
                          above ? mark.top() - size.height() : mark.bottom(), size.width(), size.height());
        painter.fillRect(name, QColor(0, 0, 0, 215));
        painter.setPen(Qt::white);
        painter.drawText(name, Qt::AlignCenter, corner.name);
    }
}

}  // namespace warplens::gui
