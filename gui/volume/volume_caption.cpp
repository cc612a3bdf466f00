// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/volume_caption.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/volume/volume_marks.hpp"

#include <QStringList>
#include <utility>

namespace warplens::gui {

namespace {
constexpr Length kInset{7}, kSpace{6};
}

VolumeCaption::VolumeCaption(QWidget* parent) : QWidget(parent) { setFixedHeight(kRowHeight); }

void VolumeCaption::setContent(const Content& content) {
    if (std::exchange(m_content, content) == content) return;
    setWidgetText(this, {.name = spoken(), .tip = content.tip});
    update();
}

void VolumeCaption::setCurrent(bool current) {
    if (std::exchange(m_current, current) != current) update();
}

QString VolumeCaption::spoken() const {
    QStringList parts{m_content.title};
    if (!m_content.detail.isEmpty()) parts << m_content.detail;
    if (!m_content.right.isEmpty()) parts << m_content.right;
    if (m_content.ms) parts << tr("%1 ms, %2").arg(format::milliseconds(*m_content.ms), originName(Origin::measured));
    return parts.join(QStringLiteral(", "));
}

QSize VolumeCaption::sizeHint() const { return {paneMinWidth(), kRowHeight}; }

void VolumeCaption::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::strip));
    if (m_current) painter.fillRect(QRect(0, 0, width(), 2), colour(Role::accent));
    const QFont small = textFont(TextSize::caption);
    const QFontMetricsF metrics(small);
    QRectF line = QRectF(rect()).adjusted(kInset, m_current ? 1 : 0, -kInset, 0);
    const auto glyphAt = [&line](double x) {
        return QRectF(x, line.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox);
    };
    // From the right first: figures are never pushed out by a title.
    const auto fromRight = [&](const QString& text) {
        writeText(painter, line, Qt::AlignRight | Qt::AlignVCenter, text, Role::text2, small);
        line.setRight(line.right() - metrics.horizontalAdvance(text) - kSpace);
    };
    if (m_content.ms) {
        drawOriginGlyph(painter, glyphAt(line.right() - kGlyphBox), Origin::measured, Role::text2, Role::strip);
        line.setRight(line.right() - kGlyphBox - 4);
        fromRight(tr("%1 ms").arg(format::milliseconds(*m_content.ms)));
        line.setRight(line.right() - kSpace);
    }
    if (!m_content.right.isEmpty()) fromRight(m_content.right);

    if (m_content.idea) {
        drawShape(painter, glyphAt(line.left()), *m_content.idea);
        line.setLeft(line.left() + kGlyphBox + kSpace);
    }
    const auto fromLeft = [&](const QString& text, const QFont& f, const QColor& ink) {
        const QString shown = QFontMetricsF(f).elidedText(text, Qt::ElideRight, std::max(0.0, line.width()));
        painter.setFont(f);
        painter.setPen(ink);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shown);
        line.setLeft(line.left() + QFontMetricsF(f).horizontalAdvance(shown) + 8);
    };
    fromLeft(m_content.title, boldFont(TextSize::caption),
             m_content.axis < 0 ? colour(Role::text1) : axisColour(m_content.axis, scheme()));
    // Numbers are shown whole or not at all; they are spoken as well.
    if (metrics.horizontalAdvance(m_content.detail) <= line.width())
        fromLeft(m_content.detail, small, colour(Role::text2));
}

}  // namespace warplens::gui
