// SPDX-License-Identifier: Apache-2.0
#include "gui/theme/glyphs.hpp"

#include <QIconEngine>
#include <algorithm>
#include <functional>
#include <utility>

namespace warplens::gui {

namespace {

/// Draws anew each time: sharp at any scale and in the colours of the moment.
class GlyphEngine : public QIconEngine {
public:
    using Draw = std::function<void(QPainter&, const QRectF&)>;
    explicit GlyphEngine(Draw draw) : m_draw(std::move(draw)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        if (mode == QIcon::Disabled) painter->setOpacity(0.5);
        // 14 px in the middle of whatever room the style gives.
        const double side = std::min({static_cast<double>(rect.width()), static_cast<double>(rect.height())});
        QRectF box(0, 0, side, side);
        box.moveCenter(QRectF(rect).center());
        m_draw(*painter, box);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override {
        return new GlyphEngine(*this);
    }

private:
    Draw m_draw;
};

}  // namespace

QIcon ideaIcon(gpu::Idea idea) {
    return QIcon(new GlyphEngine([idea](QPainter& painter, const QRectF& box) { drawShape(painter, box, idea); }));
}

QIcon originIcon(Origin origin) {
    return QIcon(
        new GlyphEngine([origin](QPainter& painter, const QRectF& box) { drawOriginGlyph(painter, box, origin); }));
}

QIcon statusIcon(ResultState state) {
    return QIcon(
        new GlyphEngine([state](QPainter& painter, const QRectF& box) { drawStatusGlyph(painter, box, state); }));
}

}  // namespace warplens::gui
