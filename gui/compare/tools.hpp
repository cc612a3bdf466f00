// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/difference_model.hpp"

#include <functional>

class QDialog;
class QWidget;

namespace warplens::gui {

class ComparePage;
class CompareSession;
class Page;
class PageTool;
class PaneGrid;

/// Commands of the Compare page that show nothing themselves; they stand among its actions in the order of the calls.
/// How pictures are looked at: which pixel, values written on large ones, values outside the range.
void addViewCommands(ComparePage& page, CompareSession& session);
/// The keys 1 to 9: the input and results, as the current pane or with Shift as the reference.
void addChoiceCommands(ComparePage& page, CompareSession& session);
/// Results that are kept: pinned as the baseline, or as snapshots, each of which can be the reference.
void addResultCommands(ComparePage& page, CompareSession& session);

/// The tables that come with the current result's picture, beside the panes; where a row of any table lies.
PageTool* makeFiguresTool(Page& page, PaneGrid& panes, CompareSession& session);
/// The surroundings of the pixel under the cursor in the current pane, beside the panes.
PageTool* makeMagnifierTool(Page& page, PaneGrid& panes);
/// The values along a line that is drawn over the panes, as curves beside them.
PageTool* makeProfileTool(Page& page, PaneGrid& panes, CompareSession& session);
/// The picture that panes flip to and are wiped against, and the pane of the double reference.
PageTool* makeReferenceTool(Page& page, PaneGrid& panes, CompareSession& session);
/// The blocks of each pane's variant over its picture; and what is read for a pixel of an integral picture, always.
PageTool* makeTilesTool(Page& page, PaneGrid& panes, CompareSession& session);
/// A line in one pane with the reference on one side of it.
PageTool* makeWipeTool(Page& page, PaneGrid& panes, CompareSession& session);

/// Asks for a pixel by its numbers.
QDialog* makeGoToBox(const io::Shape& shape, QWidget* parent, std::function<void(PixelPlace)> chosen);

}  // namespace warplens::gui
