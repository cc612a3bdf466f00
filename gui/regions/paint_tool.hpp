// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page_tool.hpp"

namespace warplens::gui {

class CompareSession;
class RegionStrip;

/// Has the mask painted: a row of tools above the panes, a layer over each of them.
class PaintTool : public PageTool {
    Q_OBJECT
public:
    PaintTool(Page& page, PaneGrid& panes, CompareSession& session);

    QWidget* row() override;
    bool takesMouse() const override { return true; }
    void attach(Pane& pane) override;

private:
    CompareSession& m_session;
    RegionStrip* m_strip;
};

}  // namespace warplens::gui
