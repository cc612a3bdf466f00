// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/inspector_strip.hpp"

#include "gui/kit/panel.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kBetween{22};

QString coordinates(QPoint p) {
    return QStringLiteral("x %1 y %2").arg(format::integer(p.x()), format::integer(p.y()));
}

/// The zoom to a whole per cent, or one decimal below 10.
QString zoomText(double zoom) { return format::percent(zoom < 0.1 ? std::round(zoom * 1000) / 1000 : zoom); }

QString nameOf(const PaneContent& pane) { return pane.idea && !pane.against ? pane.title : pane.title.toLower(); }

}  // namespace

InspectorStrip::InspectorStrip(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kStripHeight);
    setAccessibleName(tr("Values under the cursor"));
}

void InspectorStrip::setViewState(ViewState* state) {
    if (m_state) m_state->disconnect(this);
    m_state = state;
    const auto refresh = [this] {
        setAccessibleDescription(text());
        update();
    };
    if (m_state) {
        connect(m_state, &ViewState::cursorChanged, this, refresh);
        connect(m_state, &ViewState::viewChanged, this, refresh);
        connect(m_state, &ViewState::displayChanged, this, refresh);
    }
    refresh();
}

void InspectorStrip::setPanes(const std::vector<PaneContent>& contents) {
    m_panes = contents;
    setAccessibleDescription(text());
    update();
}

void InspectorStrip::setExtra(const QString& text) {
    if (m_extra == text) return;
    m_extra = text;
    setAccessibleDescription(this->text());
    update();
}

QString InspectorStrip::text() const {
    if (!m_state) return {};
    QStringList parts;
    if (const auto at = m_state->cursor()) {
        parts << coordinates(*at);
        if (!m_extra.isEmpty()) parts << m_extra;
        for (const PaneContent& pane : m_panes) {
            if (!pane.picture) continue;
            const QString value = pixelText(*pane.picture, at->x(), at->y(), m_state->slice());
            if (!value.isEmpty()) parts << nameOf(pane) + u' ' + value;
        }
    }
    parts << zoomText(m_state->zoom());
    return parts.join(QStringLiteral(", "));
}

void InspectorStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::strip));
    painter.fillRect(QRect(0, 0, width(), 1), colour(Role::line));
    if (!m_state) return;

    const QRectF line = QRectF(rect()).adjusted(kDockMargin, 1, -kDockMargin, 0);
    const QFont body = textFont(TextSize::body);
    const QFontMetricsF metrics(body);
    const QString zoom = zoomText(m_state->zoom());
    painter.setFont(body);
    painter.setPen(colour(Role::text2));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, zoom);
    const double end = line.right() - metrics.horizontalAdvance(zoom) - kBetween;

    double x = line.left();
    const auto write = [&](const QString& text, const QFont& f, Role role) {
        painter.setFont(f);
        painter.setPen(colour(role));
        painter.drawText(QRectF(x, line.top(), line.width(), line.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += QFontMetricsF(f).horizontalAdvance(text);
    };
    const auto at = m_state->cursor();
    if (!at) return write(tr("Point at a picture to read its values"), body, Role::text3);
    write(coordinates(*at), boldFont(TextSize::body), Role::text1);
    x += kBetween;
    if (!m_extra.isEmpty()) {
        write(metrics.elidedText(m_extra, Qt::ElideRight, end - x), body, Role::text1);
        x += kBetween;
    }

    for (const PaneContent& pane : m_panes) {
        if (!pane.picture) continue;
        const QString value = pixelText(*pane.picture, at->x(), at->y(), m_state->slice());
        if (value.isEmpty()) continue;
        const QString name = nameOf(pane);
        const double glyph = pane.idea && !pane.against ? kGlyphBox + 6 : 0;
        const double needed = glyph + metrics.horizontalAdvance(name) + 7 + metrics.horizontalAdvance(value);
        if (x + needed > end) {
            write(QStringLiteral("…"), body, Role::text2);
            break;
        }
        if (glyph > 0) {
            drawShape(painter, QRectF(x, line.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox), *pane.idea);
            x += glyph;
        }
        write(name, body, Role::text2);
        x += 7;
        write(value, body, Role::text1);
        x += kBetween;
    }
}

bool InspectorStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                           text().replace(QStringLiteral(", "), QStringLiteral("\n")), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace warplens::gui
