// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/tiles_overlay.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kLeastTile = 6;      // screen pixels; below, a grid would hide the picture
constexpr double kMostOfPane = 0.45;  // of its width, taken by names
constexpr QColor kDark(0, 0, 0, 153);

QString tr(const char* text) { return QCoreApplication::translate("TilesOverlay", text); }

QRectF onScreen(const ImageView& view, const QRectF& picture) {
    return {view.toWidget(picture.topLeft()), view.toWidget(picture.bottomRight())};
}

QRectF whole(const ImageView& view) {
    const auto& shape = view.picture()->shape();
    return {0, 0, static_cast<double>(shape.width), static_cast<double>(shape.height)};
}

/// A line that shows on any picture.
void strokeBox(QPainter& painter, const QRectF& box, const QPen& pen) {
    painter.setPen(QPen(kDark, pen.widthF() + 2));
    painter.drawRect(box);
    painter.setPen(pen);
    painter.drawRect(box);
}

/// The cells within so many steps along the axes, as one outline.
void strokeDiamond(QPainter& painter, const ImageView& view, QPoint pixel, int reachX, int reachY) {
    QPainterPath cells;
    cells.setFillRule(Qt::WindingFill);
    for (int high = 0; high <= reachY; ++high) {
        const int wide = reachX - high;
        if (wide >= 0) cells.addRect(QRectF(pixel.x() - wide, pixel.y() - high, 2 * wide + 1, 2 * high + 1));
    }
    QPainterPath outline;
    for (const QPolygonF& part : cells.simplified().toSubpathPolygons()) {
        QPolygonF shown;
        for (const QPointF& corner : part) shown << view.toWidget(corner);
        outline.addPolygon(shown);
    }
    painter.setPen(QPen(kDark, 3.6));
    painter.drawPath(outline);
    painter.setPen(QPen(Qt::white, 1.6));
    painter.drawPath(outline);
}

}  // namespace

QRectF TilesOverlay::tileOf(const gpu::Footprint& f, QPoint pixel) {
    if (f.tileWidth <= 0 || f.tileHeight <= 0) return {};
    return {static_cast<double>(pixel.x() / f.tileWidth * f.tileWidth),
            static_cast<double>(pixel.y() / f.tileHeight * f.tileHeight), static_cast<double>(f.tileWidth),
            static_cast<double>(f.tileHeight)};
}

QRectF TilesOverlay::stagedOf(const gpu::Footprint& f, QPoint pixel) {
    if (!f.staged) return {};
    return tileOf(f, pixel).adjusted(-f.stagedLeft, -f.stagedTop, f.stagedRight, f.stagedBottom);
}

QString TilesOverlay::readsOf(const Scene& scene) {
    const gpu::Footprint& f = scene.footprint;
    const int width = 2 * f.haloX + 1, height = 2 * f.haloY + 1;
    const int steps = std::max(f.haloX, f.haloY);
    switch (scene.taps) {
        case 0: return tr("pixel reads %1 × %2").arg(width).arg(height);
        case 27:
            return steps > 1 ? tr("%1 steps read a cube of side %2").arg(steps).arg(width)
                             : tr("cell reads a cube of 27, nine of them here");
        case 3:
            return steps > 1 ? tr("%1 steps read %2 cells of a row").arg(steps).arg(width)
                             : tr("cell reads three of a row");
        default: break;
    }
    // Within so many steps along the axes: a diamond, or an octahedron of which this is the middle.
    if (steps > 1) return tr("%1 steps read up to %1 cells away").arg(steps);
    return scene.taps == 7 ? tr("cell reads a cross of 7, five of them here") : tr("cell reads a cross of 5");
}

std::vector<TilesOverlay::Label> TilesOverlay::labelsOf(const Scene& scene) {
    std::vector<Label> labels;
    const gpu::Footprint& f = scene.footprint;
    if (!scene.pixel || f.tileWidth <= 0) return labels;
    if (f.order == gpu::Order::rows) {
        const QPointF pixel(*scene.pixel);
        labels.push_back({tr("this thread's value"), pixel + QPointF(1, 0)});
        if (const auto next = std::ranges::find_if(
                scene.warp, [&](QPoint at) { return at.y() == scene.pixel->y() && at.x() > scene.pixel->x(); });
            next != scene.warp.end())
            labels.push_back({tr("its warp's values"), QPointF(*next) + QPointF(0.5, 1)});
        labels.push_back({tr("one block, %1 values").arg(format::integer(f.tileWidth)), pixel + QPointF(0.5, 3)});
        return labels;
    }
    const auto extent = [](const char* words, double width, double height) {
        return tr(words).arg(format::integer(std::llround(width)), format::integer(std::llround(height)));
    };
    const QRectF tile = tileOf(f, *scene.pixel), staged = stagedOf(f, *scene.pixel);
    const bool rim = f.staged && staged != tile;
    if (f.staged)
        labels.push_back({extent("stages %1 × %2", staged.width(), staged.height()), {staged.right(), staged.top()}});
    labels.push_back(
        {extent("writes %1 × %2", tile.width(), tile.height()), {tile.right(), tile.top() + tile.height() * 0.3}});
    if (!scene.warp.empty()) {
        QPoint last = scene.warp.front();
        for (const QPoint pixel : scene.warp)
            if (pixel.x() > last.x()) last = pixel;
        labels.push_back({tr("one warp"), QPointF(last) + QPointF(1, 0.5)});
    }
    if (scene.reads && (f.haloX > 0 || f.haloY > 0))
        labels.push_back({readsOf(scene), QPointF(*scene.pixel) + QPointF(f.haloX + 1, 0.5)});
    if (rim)
        labels.push_back({tr("halo, read for its neighbours"),
                          {staged.right() - f.stagedRight / 2.0, staged.bottom() - f.stagedBottom / 2.0}});
    if (f.haloThroughCache && f.haloX > 0)
        labels.push_back({tr("neighbours through the cache"), {tile.right(), tile.bottom()}});
    return labels;
}

void TilesOverlay::paint(QPainter& painter, const ImageView& view) {
    if (!m_scene || view.picture() == nullptr) return;
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_scene->footprint.order == gpu::Order::rows) {
        paintRow(painter, view);
    } else {
        paintGrid(painter, view);
        if (m_scene->pixel && m_scene->footprint.tileWidth > 0) paintBlock(painter, view);
    }
    QColor warp = colour(Role::accent);
    warp.setAlpha(150);
    for (const QPoint pixel : m_scene->warp) painter.fillRect(onScreen(view, QRectF(pixel, QSizeF(1, 1))), warp);
    if (m_scene->pixel && m_scene->reads) paintPixel(painter, view);
    if (m_scene->labels) paintLabels(painter, view);
}

void TilesOverlay::paintGrid(QPainter& painter, const ImageView& view) const {
    const gpu::Footprint& f = m_scene->footprint;
    const double scale = view.viewState()->zoom() / view.devicePixelRatioF();
    if (f.tileWidth <= 0 || f.tileHeight <= 0 || f.tileWidth * scale < kLeastTile || f.tileHeight * scale < kLeastTile)
        return;
    const QRectF picture = whole(view), screen = onScreen(view, picture).intersected(QRectF(view.rect()));
    // White beside dark, which shows on a light picture as well.
    const auto line = [&](const QPointF& begin, const QPointF& end, const QPointF& beside) {
        painter.setPen(QPen(QColor(0, 0, 0, 80), lineScale()));
        painter.drawLine(begin + beside * lineScale(), end + beside * lineScale());
        painter.setPen(QPen(QColor(255, 255, 255, 95), lineScale()));
        painter.drawLine(begin, end);
    };
    const auto first = [&](double at, int tile) { return std::max(1.0, std::floor(at / tile)); };
    const QPointF from = view.toPicture(screen.topLeft()), to = view.toPicture(screen.bottomRight());
    for (double i = first(from.x(), f.tileWidth); i * f.tileWidth < std::min(to.x(), picture.width()); ++i) {
        const double x = std::round(view.toWidget({i * f.tileWidth, 0}).x()) + 0.5;
        line({x, screen.top()}, {x, screen.bottom()}, {1, 0});
    }
    for (double i = first(from.y(), f.tileHeight); i * f.tileHeight < std::min(to.y(), picture.height()); ++i) {
        const double y = std::round(view.toWidget({0, i * f.tileHeight}).y()) + 0.5;
        line({screen.left(), y}, {screen.right(), y}, {0, 1});
    }
}

void TilesOverlay::paintBlock(QPainter& painter, const ImageView& view) const {
    const gpu::Footprint& f = m_scene->footprint;
    const QColor ink = colour(m_scene->idea, Scheme::dark);  // over a picture, whatever the scheme
    const QRectF tile = onScreen(view, tileOf(f, *m_scene->pixel));
    if (f.staged) {
        const QRectF staged = onScreen(view, stagedOf(f, *m_scene->pixel));
        QPainterPath rim;
        rim.addRect(staged);
        rim.addRect(tile);
        QColor wash = ink;
        wash.setAlpha(70);
        painter.fillPath(rim, wash);
        painter.fillPath(rim, QBrush(ink, Qt::BDiagPattern));
        QPen dashed(ink, 2);
        dashed.setDashPattern({4, 2.5});
        painter.setBrush(Qt::NoBrush);
        strokeBox(painter, staged, dashed);
    }
    painter.setBrush(Qt::NoBrush);
    strokeBox(painter, tile, QPen(ink, 3));
}

void TilesOverlay::paintRow(QPainter& painter, const ImageView& view) const {
    const auto& shape = view.picture()->shape();
    if (!m_scene->pixel || m_scene->footprint.tileWidth <= 0) return;
    // A block's values go on in the next row where one ends.
    const std::int64_t run = m_scene->footprint.tileWidth,
                       value = m_scene->pixel->y() * shape.width + m_scene->pixel->x();
    const std::int64_t first = value / run * run, last = std::min(first + run, shape.width * shape.height);
    painter.setBrush(Qt::NoBrush);
    for (std::int64_t at = first; at < last;) {
        const std::int64_t y = at / shape.width, x = at % shape.width, length = std::min(shape.width - x, last - at);
        strokeBox(
            painter,
            onScreen(view, QRectF(static_cast<double>(x), static_cast<double>(y), static_cast<double>(length), 1)),
            QPen(colour(m_scene->idea, Scheme::dark), 2));
        at += length;
    }
}

void TilesOverlay::paintPixel(QPainter& painter, const ImageView& view) const {
    const gpu::Footprint& f = m_scene->footprint;
    const QRectF pixel(*m_scene->pixel, QSizeF(1, 1));
    painter.setBrush(Qt::NoBrush);
    const bool cross = m_scene->taps > 0 && m_scene->taps <= 7;
    if (cross)
        strokeDiamond(painter, view, *m_scene->pixel, f.haloX, m_scene->taps == 3 ? 0 : f.haloY);
    else if (f.haloX > 0 || f.haloY > 0)
        strokeBox(painter, onScreen(view, pixel.adjusted(-f.haloX, -f.haloY, f.haloX, f.haloY)), QPen(Qt::white, 1.6));
    QRectF dot = onScreen(view, pixel);
    if (dot.width() < 4) dot = QRectF(dot.center() - QPointF(2, 2), QSizeF(4, 4));
    painter.fillRect(dot.adjusted(-1, -1, 1, 1), kDark);
    painter.fillRect(dot, Qt::white);
}

void TilesOverlay::paintLabels(QPainter& painter, const ImageView& view) const {
    auto labels = labelsOf(*m_scene);
    const QRectF tile = onScreen(view, tileOf(m_scene->footprint, m_scene->pixel.value_or(QPoint())));
    constexpr Length kHeight{22};
    const QFontMetricsF metrics(textFont(TextSize::caption));
    // A narrow pane has room for the short ones.
    std::erase_if(labels, [&](const Label& label) {
        return metrics.horizontalAdvance(label.text) + 2 * kGap > kMostOfPane * view.width();
    });
    if (labels.empty() || view.height() < 4 * kGap + static_cast<double>(labels.size()) * (kHeight + 4) ||
        tile.width() < 40)
        return;
    double wide = 0;
    for (const Label& label : labels) wide = std::max(wide, metrics.horizontalAdvance(label.text) + 2 * kGap);
    // On the left where what they name lies too far to the right.
    const bool onLeft = tile.left() - kGap > kGap + wide && std::ranges::any_of(labels, [&](const Label& label) {
                            return view.toWidget(label.at).x() >= view.width() - wide - kGap;
                        });
    const double left = onLeft ? double(kGap) : view.width() - wide - kGap;
    painter.setFont(textFont(TextSize::caption));
    double top = 2 * kGap;
    for (const Label& label : labels) {
        const QPointF at = view.toWidget(label.at);
        top = std::clamp(at.y() - kHeight / 2.0, top, std::max<double>(top, view.height() - kHeight - kGap));
        const QRectF box(left, top, wide, kHeight);
        const double edge = onLeft ? box.right() : box.left();
        if (QRectF(view.rect()).contains(at) && (onLeft ? at.x() > edge : at.x() < edge)) {
            for (const auto& [ink, width] : {std::pair{kDark, 3.4}, std::pair{QColor(Qt::white), 1.4}}) {
                painter.setPen(QPen(ink, width));
                painter.drawLine(at, QPointF(edge, box.center().y()));
            }
        }
        painter.fillRect(box, QColor(0, 0, 0, 215));
        painter.setPen(Qt::white);
        painter.drawText(box.adjusted(kGap, 0, -kGap, 0), Qt::AlignLeft | Qt::AlignVCenter, label.text);
        top += kHeight + 4;
    }
}

}  // namespace warplens::gui
