// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/view.hpp"

#include <QPointF>
#include <array>

class QPainter;

namespace warplens::gui {

/// The edges of a volume of `extent` voxels; those that meet in the corner furthest from the eye are faint.
void drawBox(QPainter& painter, const gpu::render::Projection& projection, const std::array<int, 3>& extent);
/// A ring around the middle of a voxel.
void drawPosition(QPainter& painter, const gpu::render::Projection& projection, const std::array<int, 3>& voxel);
/// The three directions with their letters, in the axes' colours, in the lower left corner
/// of a view so high.
void drawTriad(QPainter& painter, const gpu::render::Projection& projection, double height);

}  // namespace warplens::gui
