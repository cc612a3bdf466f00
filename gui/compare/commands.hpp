// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui {

class ComparePage;
class CompareSession;

/// Commands of the Compare page that show nothing themselves; they stand among its actions in the order of the calls.
/// How pictures are looked at: which pixel, values written on large ones, values outside the range.
void addViewCommands(ComparePage& page, CompareSession& session);
/// The keys 1 to 9: the input and results, as the current pane or with Shift as the reference.
void addChoiceCommands(ComparePage& page, CompareSession& session);
/// Results that are kept: pinned as the baseline, or as snapshots, each of which can be the reference.
void addResultCommands(ComparePage& page, CompareSession& session);

}  // namespace warplens::gui
