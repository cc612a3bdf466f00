// SPDX-License-Identifier: Apache-2.0
#pragma once

class QSettings;

namespace warplens::gui {

class Actions;
class ResultsPanel;
class WhyModel;

/// What the menus do with the table of times and its bars, and what is drawn of the counts. All outlive the panel.
void wireTimes(const Actions& actions, ResultsPanel* panel, WhyModel& why, QSettings& settings);

}  // namespace warplens::gui
