// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QPainter>
#include <QWidget>

namespace warplens::gui {

/// What the canvases of panes have in common: their least size, what happens when they are chosen, and the words that
/// stand where there is nothing to draw.
class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(QWidget* parent = nullptr);
    QSize minimumSizeHint() const override { return {paneMinWidth(), paneMinHeight() - kRowHeight}; }
    QSize sizeHint() const override { return {480, 320}; }

signals:
    /// Double click or Enter.
    void activated();
    /// The mouse or the keyboard's focus came.
    void focused();

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Colours or sizes of the theme have changed.
    virtual void invalidate() { update(); }
    /// Says that it was chosen; false: the button is none that drags.
    bool pressed(QMouseEvent* event);
    void paintMessage(QPainter& painter, const QString& message,
                      const QColor& ink = colour(Role::text2, surroundScheme())) const;
};

/// Words in a box, in a colour of the theme; `flags` as in QPainter::drawText(). Colour and font stay set.
inline void writeText(QPainter& painter, const QRectF& box, int flags, const QString& text, Role ink) {
    painter.setPen(colour(ink));
    painter.drawText(box, flags, text);
}

inline void writeText(QPainter& painter, const QRectF& box, int flags, const QString& text, Role ink,
                      const QFont& font) {
    painter.setFont(font);
    writeText(painter, box, flags, text, ink);
}

/// A widget that draws itself and says of each place what stands there.
class Plot : public QWidget {
public:
    using QWidget::QWidget;

protected:
    /// For the tooltip; empty: none.
    virtual QString tipAt(QPoint place) const = 0;
    bool event(QEvent* event) override;
};

}  // namespace warplens::gui
