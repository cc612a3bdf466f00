// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/occupancy_bar.hpp"

#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QPainter>
#include <algorithm>

namespace warplens::gui {

OccupancyBar::OccupancyBar(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Resident warps per multiprocessor"));
}

void OccupancyBar::setOccupancy(const gpu::Occupancy& occupancy, gpu::Idea idea) {
    m_occupancy = occupancy;
    m_idea = idea;
    setAccessibleDescription(tr("%1 of %2 warps resident").arg(occupancy.warps).arg(occupancy.mostWarps));
    update();
}

QSize OccupancyBar::sizeHint() const { return {320, kRowHeight}; }

QSize OccupancyBar::minimumSizeHint() const { return {160, kRowHeight}; }

void OccupancyBar::paintEvent(QPaintEvent*) {
    if (m_occupancy.mostWarps <= 0) return;
    QPainter painter(this);
    const double left = kDockMargin, top = 4, high = height() - 8.0;
    const double place = (width() - 2 * left) / m_occupancy.mostWarps;
    for (int warp = 0; warp < m_occupancy.mostWarps; ++warp) {
        const bool taken = warp < m_occupancy.warps;
        // A block ends with a wider gap.
        const bool last = taken && (warp + 1) % m_occupancy.warpsPerBlock == 0;
        const QRectF box(left + warp * place, top, std::max(1.0, place - (last ? 2.5 : 1.0)), high);
        if (taken) {
            painter.fillRect(box, colour(m_idea));
        } else {
            painter.setPen(QPen(colour(Role::text3), 1));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
}

}  // namespace warplens::gui
