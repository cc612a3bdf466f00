// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/rate_bars.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kName{18}, kBar{10}, kAside{17}, kApart{10}, kLineText{22};
constexpr Length kFigure{56};  // right of the longest bar, for its number

QString lineText(double gcells) { return RateBars::tr("%1: one sweep at copy speed").arg(format::significant(gcells)); }

}  // namespace

RateBars::RateBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Rates of the variants"));
}

void RateBars::setBars(std::vector<RateBar> bars, std::optional<double> line) {
    m_bars = std::move(bars);
    m_line = line;
    QStringList parts;
    for (const RateBar& bar : m_bars) {
        QString part = bar.name;
        if (bar.gcells) part += tr(", %1 Gcell/s").arg(format::significant(*bar.gcells));
        for (const QString& more : {bar.time, bar.aside})
            if (!more.isEmpty()) part += QStringLiteral(", ") + more;
        parts << part;
    }
    if (m_line) parts << lineText(*m_line);
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int RateBars::rowHeight(const RateBar& bar) const {
    return kName + (bar.gcells ? kBar + 2 : 0) + (bar.aside.isEmpty() ? 0 : kAside) + kApart;
}

int RateBars::height() const {
    int sum = m_line ? kLineText : 0;
    for (const RateBar& bar : m_bars) sum += rowHeight(bar);
    return std::max(sum, 1);
}

void RateBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    double longest = m_line.value_or(0);
    for (const RateBar& bar : m_bars) longest = std::max(longest, bar.gcells.value_or(0));
    const double room = width() - kFigure;
    const auto x = [&](double gcells) { return longest > 0 ? gcells / longest * room : 0; };
    int top = 0;
    std::vector<QLineF> limit;  // beside the bars, not through the words below them
    for (const RateBar& bar : m_bars) {
        drawShape(painter, QRectF(0, top + 2, kGlyphBox, kGlyphBox), bar.idea);
        writeText(painter, QRectF(kGlyphBox + Length(6), top, width() - kGlyphBox - Length(6), kName),
                  Qt::AlignLeft | Qt::AlignVCenter, bar.name, Role::text1,
                  bar.current ? boldFont(TextSize::body) : textFont(TextSize::body));
        writeText(painter, QRectF(0, top, width(), kName), Qt::AlignRight | Qt::AlignVCenter, bar.time, Role::text2,
                  textFont(TextSize::caption));
        int below = top + kName;
        if (bar.gcells) {
            painter.fillRect(QRectF(0, below, x(*bar.gcells), kBar), colour(bar.idea));
            writeText(painter, QRectF(0, below - 3, width(), kBar + Length(6)), Qt::AlignRight | Qt::AlignVCenter,
                      format::significant(*bar.gcells), Role::text1, boldFont(TextSize::body));
            below += kBar + 2;
        }
        limit.emplace_back(0, top, 0, below);
        if (!bar.aside.isEmpty()) {
            writeText(painter, QRectF(kGlyphBox + Length(6), below, width() - 2 * kGlyphBox - Length(10), kAside),
                      Qt::AlignLeft | Qt::AlignVCenter, bar.aside, Role::text3, textFont(TextSize::caption));
            drawOriginGlyph(painter, QRectF(width() - kGlyphBox, below + 1, kGlyphBox, kGlyphBox), Origin::measured,
                            Role::text3);
        }
        top += rowHeight(bar);
    }
    if (!m_line) return;
    const double at = x(*m_line);
    QPen dashed(colour(Role::text1), 1.5 * lineScale(), Qt::CustomDashLine);
    dashed.setDashPattern({4 / 1.5, 3 / 1.5});
    painter.setPen(dashed);
    for (const QLineF& part : limit) painter.drawLine(part.translated(at, 0));
    painter.setFont(textFont(TextSize::caption));
    painter.setPen(colour(Role::text1));
    const QString text = lineText(*m_line);
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 4;
    const double left = std::clamp(at - wide / 2, 0.0, std::max(0.0, width() - wide));
    painter.drawText(QRectF(left, top, wide, kLineText), Qt::AlignCenter, text);
}

}  // namespace warplens::gui
