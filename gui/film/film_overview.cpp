// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_overview.hpp"

#include "gui/session/file_jobs.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kSide{96};
constexpr double kLeastBlock = 5;  ///< of a block that would be a point

}  // namespace

FilmOverview::FilmOverview(QWidget* parent) : Plot(parent) {
    setAccessibleName(tr("Where the block lies in the picture"));
    setCursor(Qt::PointingHandCursor);
    hide();
}

void FilmOverview::setPicture(const std::shared_ptr<const io::Grid>& picture) {
    if (picture == m_picture.lock()) return;
    m_picture = picture;
    m_image = picture == nullptr ? QImage() : thumbnailOf(*picture, 2 * kSide);
    if (picture == nullptr || m_image.isNull()) return hide();
    m_extent = {static_cast<int>(picture->shape().width), static_cast<int>(picture->shape().height)};
    resize(m_extent.scaled(kSide, kSide, Qt::KeepAspectRatio).expandedTo({12, 12}));
    show();
}

void FilmOverview::setBlock(const QRectF& block) {
    m_block = block;
    update();
}

double FilmOverview::scale() const { return double(width()) / std::max(1, m_extent.width()); }

void FilmOverview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(rect(), m_image);
    painter.setPen(QPen(colour(Role::line), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
    if (m_block.isEmpty()) return;
    const double down = double(height()) / std::max(1, m_extent.height());
    QRectF box(m_block.x() * scale(), m_block.y() * down, m_block.width() * scale(), m_block.height() * down);
    const double more = std::max(0.0, kLeastBlock - box.width()) / 2,
                 higher = std::max(0.0, kLeastBlock - box.height()) / 2;
    box.adjust(-more, -higher, more, higher);
    box &= QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(Qt::black, 4));
    painter.drawRect(box);
    painter.setPen(QPen(Qt::white, 2));
    painter.drawRect(box);
}

void FilmOverview::mousePressEvent(QMouseEvent* event) {
    const auto at = [](double place, int extent, int side) {
        return std::clamp(static_cast<int>(place * extent / std::max(1, side)), 0, std::max(0, extent - 1));
    };
    emit pixelChosen(
        {at(event->position().x(), m_extent.width(), width()), at(event->position().y(), m_extent.height(), height())});
}

QString FilmOverview::tipAt(QPoint) const {
    return tr("Where the block lies in the picture. A click films the block there.");
}

}  // namespace warplens::gui
