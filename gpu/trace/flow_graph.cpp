// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/flow_graph.hpp"

#include <algorithm>

namespace warplens::gpu::trace {
namespace {

constexpr int kEnd = 0, kNone = -1;

std::vector<std::vector<int>> reversed(const std::vector<std::vector<int>>& next) {
    std::vector<std::vector<int>> back(next.size());
    for (std::size_t from = 0; from < next.size(); ++from) {
        for (const int to : next[from]) back[static_cast<std::size_t>(to)].push_back(static_cast<int>(from));
    }
    return back;
}

/// The nodes from which the end is reached, each after all that it is reached through where there is no loop.
std::vector<int> backwardsFromEnd(const std::vector<std::vector<int>>& back) {
    std::vector<int> order;
    std::vector<bool> seen(back.size());
    std::vector<std::pair<int, std::size_t>> path{{kEnd, 0}};
    seen[kEnd] = true;
    while (!path.empty()) {
        const auto node = static_cast<std::size_t>(path.back().first);
        if (path.back().second == back[node].size()) {
            order.push_back(path.back().first);
            path.pop_back();
            continue;
        }
        const int before = back[node][path.back().second++];
        if (seen[static_cast<std::size_t>(before)]) continue;
        seen[static_cast<std::size_t>(before)] = true;
        path.emplace_back(before, 0);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace

FlowGraph::FlowGraph(const EdgeSet& seen) {
    nodeOf(0);
    for (const auto& edge : seen.edges()) {
        const int from = nodeOf(edge.from), to = nodeOf(edge.to);
        auto& next = m_next[static_cast<std::size_t>(from)];
        if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
    }
    for (const auto& next : m_next) m_branches.push_back(next.size() > 1);
    std::vector<bool> busy(m_next.size());
    for (const auto block : seen.busyBlocks()) {
        if (const auto found = m_nodes.find(block); found != m_nodes.end())
            busy[static_cast<std::size_t>(found->second)] = true;
    }
    dropEarlyReturns(busy);
    findJoins();
}

int FlowGraph::nodeOf(std::uint32_t pc) {
    const auto [found, added] = m_nodes.try_emplace(pc, static_cast<int>(m_pcs.size()));
    if (added) {
        m_pcs.push_back(pc);
        m_next.emplace_back();
    }
    return found->second;
}

std::vector<bool> FlowGraph::reachingEnd() const {
    std::vector<bool> reaching(m_next.size());
    for (const int node : backwardsFromEnd(reversed(m_next))) reaching[static_cast<std::size_t>(node)] = true;
    return reaching;
}

/// A lane that returns early leaves its warp, and the others do not wait for it: its way out, through a block that does
/// nothing more, is no way to join. It is kept where it is the only way to the end, as out of a kernel's last loop.
void FlowGraph::dropEarlyReturns(const std::vector<bool>& busy) {
    const auto whole = m_next;
    const auto ends = [&](int node) {
        const auto& next = whole[static_cast<std::size_t>(node)];
        return node == kEnd || (next.size() == 1 && next.front() == kEnd && !busy[static_cast<std::size_t>(node)]);
    };
    for (auto& next : m_next) {
        const bool mixed = std::any_of(next.begin(), next.end(), ends) && !std::all_of(next.begin(), next.end(), ends);
        if (mixed) std::erase_if(next, ends);
    }
    const auto reaching = reachingEnd();
    for (std::size_t node = 0; node < m_next.size(); ++node) {
        if (!reaching[node]) m_next[node] = whole[node];
    }
}

/// Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2001, on the graph turned round.
void FlowGraph::findJoins() {
    m_join.assign(m_next.size(), kNone);
    const auto order = backwardsFromEnd(reversed(m_next));
    std::vector<int> place(m_next.size(), kNone);
    for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    m_join[kEnd] = kEnd;
    const auto common = [&](int a, int b) {
        while (a != b) {
            while (place[static_cast<std::size_t>(a)] > place[static_cast<std::size_t>(b)])
                a = m_join[static_cast<std::size_t>(a)];
            while (place[static_cast<std::size_t>(b)] > place[static_cast<std::size_t>(a)])
                b = m_join[static_cast<std::size_t>(b)];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const int node : order) {
            if (node == kEnd) continue;
            int join = kNone;
            for (const int next : m_next[static_cast<std::size_t>(node)]) {
                if (m_join[static_cast<std::size_t>(next)] == kNone) continue;
                join = join == kNone ? next : common(join, next);
            }
            if (join != m_join[static_cast<std::size_t>(node)]) {
                m_join[static_cast<std::size_t>(node)] = join;
                changed = true;
            }
        }
    }
}

std::uint32_t FlowGraph::joinOf(std::uint32_t block) const {
    const auto found = m_nodes.find(block);
    if (found == m_nodes.end()) return 0;
    const int join = m_join[static_cast<std::size_t>(found->second)];
    return join == kNone ? 0 : m_pcs[static_cast<std::size_t>(join)];
}

bool FlowGraph::branches(std::uint32_t block) const {
    const auto found = m_nodes.find(block);
    return found != m_nodes.end() && m_branches[static_cast<std::size_t>(found->second)];
}

}  // namespace warplens::gpu::trace
