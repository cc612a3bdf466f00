// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/pane_content.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/session/result_kind.hpp"

#include <optional>
#include <string>

namespace warplens::gui {

class CompareSession;

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
