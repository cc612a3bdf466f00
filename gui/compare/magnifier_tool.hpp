// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page_tool.hpp"

namespace warplens::gui {

class Magnifier;

/// The surroundings of the pixel under the cursor in the current pane, beside the panes.
class MagnifierTool : public PageTool {
    Q_OBJECT
public:
    MagnifierTool(Page& page, PaneGrid& panes);
    QWidget* side() override;
    void place() override;

private:
    Magnifier* m_magnifier;
};

}  // namespace warplens::gui
