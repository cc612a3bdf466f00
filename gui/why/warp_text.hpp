// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/warp_trace.hpp"

#include <QString>
#include <cstdint>
#include <vector>

namespace warplens::gui {

/// A unit of memory that a request touches, and what of it.
struct TouchedUnit {
    std::int64_t number = 0;                  ///< of the sector or address; of a shared access the bank
    int bytes = 0;                            ///< different bytes asked for
    int words = 0;                            ///< different 4-byte words: of a bank, each takes a pass
    std::vector<int> lanes;                   ///< that touch it, ascending
    std::vector<std::pair<int, int>> pieces;  ///< first byte and length within the unit, a lane each as in `lanes`
};

enum class UnitKind { sectors, banks, words };
/// What a request is shown by: global memory by sectors, shared memory by banks, constant memory and atomics by
/// addresses.
UnitKind unitKind(const gpu::WarpSite& site);
constexpr int kSectorBytes = 32, kWordBytes = 4, kBanks = 32;

/// Units that the request touches, ascending.
std::vector<TouchedUnit> touchedUnits(const gpu::WarpRequest& request, const gpu::WarpSite& site);

/// What stands below one warp: a figure, and why it is what it is.
struct WarpText {
    QString figure;  ///< "5 sectors"
    QString reason;  ///< "where 4 would do: the row begins 8 bytes into a sector."
    QString share;   ///< "128 of 160 bytes are used, 80 %."; may be empty
};
WarpText warpText(const gpu::WarpRequest& request, const gpu::WarpSite& site);

}  // namespace warplens::gui
