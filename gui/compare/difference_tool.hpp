// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page_tool.hpp"
#include "gui/session/difference_model.hpp"

#include <string>

namespace warplens::gui {

class CompareSession;
class DifferencePanel;

/// The current result minus another picture: the last pane, with its figures beside the panes.
class DifferenceTool : public PageTool {
    Q_OBJECT
public:
    DifferenceTool(Page& page, PaneGrid& panes, CompareSession& session);

    const DifferenceModel& model() const { return m_model; }
    int panesNeeded() const override { return on() ? 1 : 0; }
    PaneContent pane() const override;
    void prepare() override;

private:
    /// The key of what is subtracted from the current result.
    std::string subtrahend() const;
    void followDevice();

    CompareSession& m_session;
    DifferenceModel m_model;
    DifferencePanel* m_panel;
};

}  // namespace warplens::gui
