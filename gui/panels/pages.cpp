// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/pages.hpp"

#include "gpu/core/registry.hpp"
#include "gui/lenses/lens.hpp"
#include "gui/panels/compare_page.hpp"
#include "gui/panels/lessons_page.hpp"
#include "gui/panels/volume_page.hpp"
#include "gui/panels/why_page.hpp"
#include "gui/views/pane_grid.hpp"

namespace warplens::gui {

std::vector<Page*> makePages(CompareSession& session, QWidget* parent) {
    auto* compare = new ComparePage(session, parent);
    // One range, one colour map and one slice, whichever page shows them.
    ViewState& view = *compare->panes()->viewState();
    std::vector<Page*> pages{compare, new WhyPage(session, view, parent), new VolumePage(session, view, parent)};
    for (const gpu::Family* family : gpu::families())
        if (Page* own = lensOf(*family).makePage(session, parent)) pages.push_back(own);
    pages.push_back(new LessonsPage(session, parent));
    return pages;
}

}  // namespace warplens::gui
