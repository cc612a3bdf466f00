// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/picture/view_state.hpp"

#include <QString>
#include <optional>

namespace warplens::gui {

/// What the values of a result are where they are of another kind than the picture's: sums, steps, distances. Then they
/// have a range and colours of their own.
struct ResultKind {
    QString values;  ///< with their unit, for the legend: "distance, px"
    ColourMap map = ColourMap::grey;
    bool fromZero = false;  ///< the range begins there, and what lies below is no value

    bool operator==(const ResultKind&) const = default;
};
/// Nothing: the values are as the picture's.
std::optional<ResultKind> resultKindOf(const gpu::Family& family, const gpu::ParameterValues& values);

/// Of differences a range about zero.
OwnDisplay ownDisplayOf(const ResultKind& kind, const io::Grid& result);

}  // namespace warplens::gui
