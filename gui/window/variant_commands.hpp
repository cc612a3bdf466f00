// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

class QSettings;

namespace warplens::gui {

class Actions;
class VisibleVariants;
class RequestState;
class VariantList;
class ResultsPanel;
class WhyModel;

/// What the menus do with the table of times and its bars, and what is drawn of the counts. All outlive the panel.
void wireTimes(const Actions& actions, ResultsPanel* panel, WhyModel& why, QSettings& settings);

/// Rows of the ladder that are copied with other launch parameters, changed, removed. `list` offers them in its context
/// menu, and is where launch parameters are typed; `showList` makes it seen.
void wireVariants(const Actions& actions, RequestState& request, VisibleVariants& lookedAt, VariantList* list,
                  const std::function<void()>& showList);

}  // namespace warplens::gui
