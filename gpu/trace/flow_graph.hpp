// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/lane_log.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warplens::gpu::trace {

/// Where the lanes of a warp meet again: immediate post-dominators of the control-flow graph that was seen. Address 0
/// stands for a thread's end.
class FlowGraph {
public:
    explicit FlowGraph(const EdgeSet& seen);
    /// The first basic block that every way from `block` comes through; 0 when only the end is.
    std::uint32_t joinOf(std::uint32_t block) const;
    /// Whether several ways lead on from it.
    bool branches(std::uint32_t block) const;

private:
    int nodeOf(std::uint32_t pc);
    std::vector<bool> reachingEnd() const;
    void dropEarlyReturns(const std::vector<bool>& busy);
    void findJoins();

    std::unordered_map<std::uint32_t, int> m_nodes;  ///< node 0 is the end
    std::vector<std::uint32_t> m_pcs;
    std::vector<std::vector<int>> m_next;
    std::vector<int> m_join;
    std::vector<bool> m_branches;
};

}  // namespace warplens::gpu::trace
