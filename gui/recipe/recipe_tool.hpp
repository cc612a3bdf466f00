// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page_tool.hpp"

namespace warplens::gui {

class CompareSession;
class RecipeStrip;

/// The recipe's steps in a row above the panes, and its commands.
class RecipeTool : public PageTool {
    Q_OBJECT
public:
    RecipeTool(Page& page, PaneGrid& panes, CompareSession& session);
    QWidget* row() override;

private:
    RecipeStrip* m_strip;
};

}  // namespace warplens::gui
