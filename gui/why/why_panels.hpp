// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/warp_model.hpp"

#include <QWidget>

namespace warplens::gui {

class CrossoverModel;
class Page;

/// Height of the page, at the plain size of type, from which nothing is compact.
inline constexpr int kRoomyPage = 700;

/// Theoretical occupancy of the current variant, what limits it, and what would lift that. Where the page is low the
/// facts go into the tooltip.
QWidget* makeOccupancyPanel(WhyModel& model, QWidget* page);

/// The roofline of all counted variants under a title that says whose ceilings they are; hidden while nothing is
/// counted.
QWidget* makeRooflinePanel(WhyModel& model, QWidget* parent);

/// The source of the current variant with the counts of each line, or that of a file it includes; a line chosen shows
/// one warp there.
QWidget* makeHeatPanel(WhyModel& why, WarpModel& warp, QWidget* parent);

/// One warp at the line chosen: which request, its lanes and what they touch, and what that means.
QWidget* makeWarpPanel(WarpModel& model, QWidget* parent);

/// The sources of two variants side by side, line against line: what was removed, added and changed. Its commands are
/// made by `page`.
QWidget* makeSourcesPanel(WhyModel& model, Page* page);

/// What the compiler made of the current variant, PTX or SASS, beside its source and linked to its lines both ways, and
/// the figures of the whole kernel beside those of the variant it is compared with; or both listings as a difference.
/// Its command is made by `page`.
QWidget* makeCompilerPanel(WhyModel& model, Page* page);

/// Which variant wins where: a sweep over one axis as curves or over two as a map, the times of the cell chosen, the
/// variants that compete, what is best taken by a click, and a sweep that measures again.
QWidget* makeCrossoverPanel(RequestState& request, CrossoverModel& model, QWidget* parent);

/// The counts and times that changed between the current variant and the one it is compared with; of the first variant
/// all counts.
QWidget* makeMovedTable(WhyModel& model, QWidget* parent);

/// The variants of the ladder, of which one is current, and at the right end the one it is compared with; while it
/// counts, how far that is, with Cancel. A row, at whose left end more may stand.
QWidget* makeLadderBar(WhyModel& model, QWidget* parent);

}  // namespace warplens::gui
