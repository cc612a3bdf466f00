// SPDX-License-Identifier: Apache-2.0
#include "gui/session/layout_rules.hpp"

#include "gui/kit/theme/metrics.hpp"

namespace warplens::gui {

LayoutRules layoutRules(QSize window) {
    LayoutRules rules;
    rules.sourceBehindResults = window.width() < 1520;
    rules.ideasInTooltips = window.height() < 960;
    rules.fewColumns = window.width() < 1480;
    rules.lowResults = window.height() < 840;
    rules.deviceHidden = window.width() < 1400;
    rules.taskNarrow = window.width() < 1360;
    rules.legendFolded = window.width() < 1320;
    rules.statisticsBehindTask = window.width() < 1220;
    rules.resultsBehindTask = window.height() < 500;
    return rules;
}

double projectorType(QSize window) {
    return window.width() < 1600 || window.height() < 900 ? kSmallProjectorType : kProjectorType;
}

}  // namespace warplens::gui
