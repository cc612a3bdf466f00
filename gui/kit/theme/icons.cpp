// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme/glyphs.hpp"

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

    QIconEngine* clone() const override { return new GlyphEngine(*this); }

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

QIcon transportIcon(Transport transport) {
    return QIcon(new GlyphEngine([transport](QPainter& painter, const QRectF& box) {
        const double s = box.width() / 14;
        const auto at = [&](double x, double y) { return box.topLeft() + QPointF(x * s, y * s); };
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour(Role::text1));
        const auto bar = [&](double x, double width) { painter.drawRect(QRectF(at(x, 2), at(x + width, 12))); };
        switch (transport) {
            case Transport::play: painter.drawConvexPolygon(QPolygonF{at(3, 1.5), at(12.5, 7), at(3, 12.5)}); break;
            case Transport::pause:
                bar(2.5, 3.2);
                bar(8.3, 3.2);
                break;
            case Transport::start:
                bar(2, 2);
                painter.drawConvexPolygon(QPolygonF{at(12, 2), at(5, 7), at(12, 12)});
                break;
            case Transport::step:
                painter.drawConvexPolygon(QPolygonF{at(2, 2), at(9, 7), at(2, 12)});
                bar(10, 2);
                break;
        }
    }));
}

}  // namespace warplens::gui
