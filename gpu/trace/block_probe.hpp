// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/flow_graph.hpp"
#include "gpu/trace/lane_log.hpp"
#include "gpu/trace/recorder.hpp"

#include <span>
#include <vector>

namespace warplens::gpu::trace {

/// Looks at single blocks, one after the other, instead of counting a sample of them.
class BlockProbe {
public:
    virtual ~BlockProbe() = default;
    /// The blocks of a launch to run, in this order; none: the launch is passed over, or runs as a whole.
    virtual std::vector<uint3> blocks(const LaunchView& launch) = 0;
    /// Whether launches that are passed over are run, as what comes later builds on them. Then a block that deals with
    /// others is run once more after all those before it, and what stores leave behind is kept.
    virtual bool follows() const { return false; }
    /// What the threads of a block did; before, of one that follows others, what else was kept. True: that was the last
    /// one to look at.
    virtual void keep(const Recorder&) {}
    virtual bool look(const LaunchView& launch, uint3 index, std::span<const LaneLog> threads,
                      const FlowGraph& graph) = 0;
};

}  // namespace warplens::gpu::trace
