// SPDX-License-Identifier: Apache-2.0
#include "gui/views/colour_legend.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"
#include "gui/views/render.hpp"

#include <QPainter>
#include <algorithm>

namespace warplens::gui {

namespace {
constexpr Length kWidth{176}, kHeight{34}, kBar{8}, kInset{10};
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
            QColor::fromRgb(mapped(i, {0, static_cast<double>(length - 1)}, m_map, colour(Role::canvas).rgb())));
    const QRect line(box.left() + kInset, box.top() + kInset / 2 + kBar, length, kHeight - kInset / 2 - kBar);
    painter.setFont(textFont(TextSize::caption));
    painter.setPen(Qt::white);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_low);
    painter.drawText(line, Qt::AlignCenter, m_what);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, m_high);
}

}  // namespace warplens::gui
