// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/view_state.hpp"

#include <QString>
#include <optional>
#include <string>

namespace warplens::gui {

class CompareSession;

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

/// What panes show of a session: a variant's newest result, the input.
PaneContent variantContent(CompareSession& session, const std::string& id);
PaneContent inputContent(CompareSession& session);
/// The picture of a variant's result where it belongs to the present values.
std::shared_ptr<const io::Grid> presentPicture(CompareSession& session, const std::string& id);
/// Of what the task makes; nothing: values as the picture's.
std::optional<ResultKind> resultKind(CompareSession& session);
/// Who works out a range now, for RangeBar: the chosen device, unless it is comparing.
RangeBar::Serve statisticsBy(CompareSession& session);
/// Gives a picture of results their range and legend.
void showKind(CompareSession& session, PaneContent& pane);

}  // namespace warplens::gui
