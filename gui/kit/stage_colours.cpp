// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/stage_colours.hpp"

#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QPainter>
#include <QPixmap>

namespace warplens::gui {

using gpu::RunColumn;

void paintStage(QPainter& painter, const QRectF& box, RunColumn::Id stage, const QColor& kernel) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    switch (stage) {
        case RunColumn::upload: painter.fillRect(box, colour(Role::text3)); break;
        case RunColumn::layout:
            painter.fillRect(box, colour(Role::control));
            painter.fillRect(box, QBrush(colour(Role::text2), Qt::BDiagPattern));
            break;
        case RunColumn::download: painter.fillRect(box, colour(Role::text2)); break;
        case RunColumn::display:
            painter.setPen(colour(Role::text1));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            break;
        default: painter.fillRect(box, kernel); break;
    }
    painter.restore();
}

QString stageName(RunColumn::Id stage) {
    const QString title = QString::fromUtf8(gpu::runColumn(stage).title).toLower();
    return title.section(u' ', 0, 0);
}

QIcon stageIcon(RunColumn::Id stage) {
    if (stage != RunColumn::upload && stage != RunColumn::layout && stage != RunColumn::download &&
        stage != RunColumn::display)
        return {};
    constexpr int kSharp = 2;  // also on a dense screen
    const int side = kGlyphBox;
    QPixmap picture(QSize(side, side) * kSharp);
    picture.setDevicePixelRatio(kSharp);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintStage(painter, QRectF(side / 4.0, side / 4.0, side / 2.0, side / 2.0), stage, {});
    painter.end();
    return QIcon(picture);
}

}  // namespace warplens::gui
