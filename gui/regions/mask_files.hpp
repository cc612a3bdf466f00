// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui {

class CompareSession;
class RegionStrip;

/// Open and Save of a strip ask for a file, and the mask becomes it or goes there. The session outlives the strip.
void offerMaskFiles(RegionStrip& strip, CompareSession& session);

}  // namespace warplens::gui
