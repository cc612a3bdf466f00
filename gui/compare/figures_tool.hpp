// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/figures_rows.hpp"
#include "gui/picture/page_tool.hpp"

namespace warplens::gui {

class CompareSession;
class FiguresView;

/// The tables that come with the current result's picture, beside the panes; where a row of any table lies.
class FiguresTool : public PageTool {
    Q_OBJECT
public:
    FiguresTool(Page& page, PaneGrid& panes, CompareSession& session);

    QWidget* side() override;
    void attach(Pane& pane) override;
    void prepare() override;

private:
    /// Goes where its rows lie, says what it wrote.
    void follow(FiguresView& figures);
    void goToRow(const RowPlace& place);

    CompareSession& m_session;
    FiguresView* m_figures;
};

}  // namespace warplens::gui
