// SPDX-License-Identifier: Apache-2.0
#include "gui/window/times_commands.hpp"

#include "gui/compare/results_panel.hpp"
#include "gui/compare/run_table.hpp"
#include "gui/why/why_model.hpp"
#include "gui/window/actions.hpp"

#include <QAction>
#include <QSettings>

namespace warplens::gui {

void wireTimes(const Actions& actions, ResultsPanel* panel, WhyModel& why, QSettings& settings) {
    auto* table = panel->findChild<RunTable*>();
    offerColumns(settings, table, actions.columns);
    QObject::connect(actions.allStages, &QAction::triggered, panel, &ResultsPanel::setStages);
    QObject::connect(panel, &ResultsPanel::stagesChanged, actions.allStages, &QAction::setChecked);
    QObject::connect(&why, &WhyModel::countsChanged, panel, [panel, &why] {
        panel->setCounts([&why](const std::string& variant) { return why.counters(variant); });
    });
}

}  // namespace warplens::gui
