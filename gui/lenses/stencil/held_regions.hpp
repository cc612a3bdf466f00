// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"

#include <QObject>
#include <QString>
#include <array>
#include <optional>

namespace warplens::gui {

class Page;
class VolumeState;

/// Commands of a page that hold the cells around the crosshair at a value while a stencil runs.
class HeldRegions : public QObject {
    Q_OBJECT
public:
    /// Adds its actions to `page`, which owns it; `state` says where the crosshair is and which values are hot and
    /// cold.
    HeldRegions(CompareSession& session, const VolumeState& state, Page& page);

private:
    void hold(bool hot);
    CompareSession& m_session;
    const VolumeState& m_state;
};

/// The parameter "regions" of the stencils with a box around a voxel held at a value: a twentieth of each axis to
/// either side, at least one voxel. The same box at another value is replaced; an axis of one voxel is left out.
/// Nothing when there are as many regions as there can be.
std::optional<QString> withRegion(const QString& regions, double value, const std::array<int, 3>& at,
                                  const std::array<int, 3>& extent);

}  // namespace warplens::gui
