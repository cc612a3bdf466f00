// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <array>
#include <optional>

namespace warplens::gui {

/// The parameter "regions" of the stencils with a box around a voxel held at a value: a twentieth of each axis to
/// either side, at least one voxel. The same box at another value is replaced; an axis of one voxel is left out.
/// Nothing when there are as many regions as there can be.
std::optional<QString> withRegion(const QString& regions, double value, const std::array<int, 3>& at,
                                  const std::array<int, 3>& extent);

}  // namespace warplens::gui
