// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/view.hpp"
#include "gui/kit/theme/tokens.hpp"
#include "gui/picture/scale_bar.hpp"
#include "gui/session/volume_state.hpp"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <array>

namespace warplens::gui {

/// x, y or z as an index, its letter, and its colour: on titles, and (the dark scheme's, which shows on any picture)
/// on crosshairs.
inline constexpr std::array kAxisLetters{u'x', u'y', u'z'};

inline QColor axisColour(int axis, Scheme scheme) {
    constexpr std::array<QRgb, 3> kDark{0xfff0855c, 0xfffae27e, 0xff7fe9f6}, kLight{0xff8f2d04, 0xff605200, 0xff006074};
    return QColor::fromRgb((scheme == Scheme::dark ? kDark : kLight)[static_cast<std::size_t>(axis)]);
}

/// Lines through `cross` in the colours of the axes whose places they mark, and those places beside the picture, or
/// over it where there is no room.
void drawSliceCrosshair(QPainter& painter, const SlicePlacement& placement, SlicePlane plane,
                        const VolumeState::Voxel& voxel, QPointF cross);

/// The edges of a volume of `extent` voxels; those that meet in the corner furthest from the eye are faint.
void drawBox(QPainter& painter, const gpu::render::Projection& projection, const std::array<int, 3>& extent);
/// A ring around the middle of a voxel.
void drawPosition(QPainter& painter, const gpu::render::Projection& projection, const std::array<int, 3>& voxel);
/// The three directions with their letters, in the axes' colours, in the lower left corner
/// of a view so high.
void drawTriad(QPainter& painter, const gpu::render::Projection& projection, double height);

}  // namespace warplens::gui
