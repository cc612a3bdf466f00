// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui {

class ComparePage;
class CompareSession;

/// Gives the Compare page its tools, those of other features among them, once. The session outlives it.
void giveTools(ComparePage& page, CompareSession& session);

}  // namespace warplens::gui
