// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace warplens::gui {

class CompareSession;
class Page;
class PageTool;
class PaneGrid;

/// Asks for a file, which becomes the session's recipe or takes it. The session outlives `over`, whose window asks.
void openRecipe(QWidget& over, CompareSession& session);
void saveRecipe(QWidget& over, CompareSession& session);

/// The recipe's steps in a row above the panes, and its commands.
PageTool* makeRecipeTool(Page& page, PaneGrid& panes, CompareSession& session);

}  // namespace warplens::gui
