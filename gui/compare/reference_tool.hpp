// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page_tool.hpp"

namespace warplens::gui {

class CompareSession;

/// The picture that panes flip to and are wiped against, and the pane of the double reference.
class ReferenceTool : public PageTool {
    Q_OBJECT
public:
    ReferenceTool(Page& page, PaneGrid& panes, CompareSession& session);

    /// The button that flips while it is held.
    void addTo(ToolStrip& strip) override;
    int panesNeeded() const override { return on() ? 2 : 0; }
    PaneContent pane() const override;
    bool inLayout() const override { return true; }
    void prepare() override;
    void decorate(PaneContent& pane) const override;

private:
    PaneContent reference() const;

    CompareSession& m_session;
};

}  // namespace warplens::gui
