// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui {

class CompareSession;
class ImageView;
class Page;
class PageTool;
class PaneGrid;
class RegionTools;

enum class PaintVeil { shown, none };  ///< none: somebody else shows what is inside
/// Lays over a picture's view, which owns it, the mask in a colour that lets the picture through, the polygon under
/// way, and the brush's outline as the cursor. While a tool is on, the left button is the tool's; all else reaches the
/// view below.
void addPaintLayer(ImageView& view, RegionTools& tools, PaintVeil veil = PaintVeil::shown);

/// Has the mask painted: a row of tools above the panes, such a layer over each of them.
PageTool* makePaintTool(Page& page, PaneGrid& panes, CompareSession& session);

}  // namespace warplens::gui
