// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QPainter>
#include <QWidget>

namespace warplens::gui {

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
