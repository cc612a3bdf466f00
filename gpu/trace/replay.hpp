// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/flow_graph.hpp"
#include "gpu/trace/lane_log.hpp"
#include "gpu/trace/tally.hpp"

#include <functional>
#include <span>

namespace warplens::gpu::trace {

/// Told of each request of a warp in order: which access, and who took part.
using RequestObserver = std::function<void(std::span<const LoggedAccess> lanes, std::uint32_t activeMask)>;

/// Groups the lanes of one warp into requests by replaying their logs as a SIMT stack does: lanes that part at a branch
/// run one side after the other, and wait for each other where all ways meet again. (Pairing the k-th occurrence of an
/// address in each log is wrong as soon as lanes skip iterations.) Up to 32 logs; adds to `tally`.
void replayWarp(std::span<const LaneLog> lanes, const FlowGraph& graph, Tally& tally,
                const RequestObserver& observer = {});

}  // namespace warplens::gpu::trace
