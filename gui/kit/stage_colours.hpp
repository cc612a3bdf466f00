// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/run_columns.hpp"

#include <QColor>
#include <QIcon>
#include <QRectF>
#include <QString>

class QPainter;

namespace warplens::gui {

/// Fills the piece of a bar that stands for a stage: upload dark grey, layout hatched, the kernel in `kernel`, download
/// light grey, display outlined.
void paintStage(QPainter& painter, const QRectF& box, gpu::RunColumn::Id stage, const QColor& kernel);

/// "upload"
QString stageName(gpu::RunColumn::Id stage);

/// The same as a mark in a column's head; null where the column is no stage, and of the kernel, which has its idea's
/// colour.
QIcon stageIcon(gpu::RunColumn::Id stage);

}  // namespace warplens::gui
