// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/pages.hpp"

#include "gui/panels/compare_page.hpp"
#include "gui/panels/histogram_page.hpp"
#include "gui/panels/lessons_page.hpp"
#include "gui/panels/volume_page.hpp"
#include "gui/panels/why_page.hpp"
#include "gui/views/pane_grid.hpp"

namespace warplens::gui {

std::vector<Page*> makePages(CompareSession& session, QWidget* parent) {
    auto* compare = new ComparePage(session, parent);
    return {
        compare,
        new WhyPage(session, *compare->panes()->viewState(), parent),
        // One range, one colour map and one slice, whichever page shows them.
        new VolumePage(session, *compare->panes()->viewState(), parent),
        new HistogramPage(session, parent),
        new LessonsPage(session, parent),
    };
}

}  // namespace warplens::gui
