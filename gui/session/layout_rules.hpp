// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSize>

namespace warplens::gui {

/// What a window of some size gives up, in the order in which it does. Widths and heights in logical pixels.
struct LayoutRules {
    bool sourceBehindResults = false;   ///< the source becomes a tab behind the results
    bool ideasInTooltips = false;       ///< variants take one line
    bool fewColumns = false;            ///< the table drops Quartiles, Regs, Shared and Occup.
    bool lowResults = false;            ///< two panes beside one another, and eight rows that scroll
    bool deviceHidden = false;          ///< the device leaves the header
    bool taskNarrow = false;            ///< 264 instead of 304
    bool legendFolded = false;          ///< the legend is one button
    bool statisticsBehindTask = false;  ///< what a page has on the right becomes a tab behind the task
    bool resultsBehindTask = false;     ///< so do results and source

    bool operator==(const LayoutRules&) const = default;
    int taskWidth() const { return taskNarrow ? 264 : 304; }
    int resultsHeight() const { return lowResults ? 284 : 300; }
    static constexpr int kSourceWidth = 384;
};

LayoutRules layoutRules(QSize window);

/// What projector mode multiplies type with in a window of this size.
double projectorType(QSize window);

}  // namespace warplens::gui
