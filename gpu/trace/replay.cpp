// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/replay.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace warplens::gpu::trace {
namespace {

constexpr unsigned kLanes = 32;

class Warp {
public:
    Warp(std::span<const LaneLog> lanes, const FlowGraph& graph, Tally& tally, const RequestObserver& observer)
        : m_graph(graph), m_tally(tally), m_observer(observer) {
        for (unsigned i = 0; i < lanes.size(); ++i) {
            m_at[i] = lanes[i].words().data();
            m_end[i] = m_at[i] + lanes[i].words().size();
            if (m_at[i] != m_end[i]) m_all |= 1U << i;
        }
    }

    void run() {
        if (m_all == 0) return;
        diverge(m_all, 0);
        while (!m_stack.empty()) {
            Entry& top = m_stack.back();
            if (top.node == top.join || top.node == 0) {
                m_stack.pop_back();
                continue;
            }
            // A thread that was stopped half-way never comes to where the others wait for it.
            const auto mask = lanesAt(top.mask, top.node);
            if (mask == 0) {
                m_stack.pop_back();
                continue;
            }
            execute(top.node, mask);
            step(mask);
        }
    }

private:
    struct Entry {
        std::uint32_t node, join, mask;
    };

    /// The basic block a lane is about to enter; 0 at its end.
    std::uint32_t next(unsigned lane) const { return m_at[lane] == m_end[lane] ? 0 : *m_at[lane]; }

    template <class F>
    static void forLanes(std::uint32_t mask, F f) {
        for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
    }

    std::uint32_t lanesAt(std::uint32_t mask, std::uint32_t node) const {
        std::uint32_t at = 0;
        forLanes(mask, [&](unsigned i) { at |= next(i) == node ? 1U << i : 0U; });
        return at;
    }

    /// Moves the top on: together, or parted by where each lane goes.
    void step(std::uint32_t mask) {
        Entry& top = m_stack.back();
        const auto first = next(static_cast<unsigned>(std::countr_zero(mask)));
        const bool together = lanesAt(mask, first) == mask;
        const auto node = top.node;
        if (together) {
            top.node = first;
            return;
        }
        ++m_tally.divergentBranches;
        auto& block = m_tally.basicBlocks[node];
        ++block.divergent;
        block.apart += std::popcount(mask) - largestGroup(mask);
        const auto join = m_graph.joinOf(node);
        top.node = join;
        diverge(mask, join);
    }

    /// The most lanes that go one way.
    int largestGroup(std::uint32_t mask) const {
        int most = 0;
        while (mask != 0) {
            const auto group = lanesAt(mask, next(static_cast<unsigned>(std::countr_zero(mask))));
            most = std::max(most, std::popcount(group));
            mask &= ~group;
        }
        return most;
    }

    /// Puts each way that the lanes take on the stack, but those that are at the join already.
    void diverge(std::uint32_t mask, std::uint32_t join) {
        while (mask != 0) {
            const auto node = next(static_cast<unsigned>(std::countr_zero(mask)));
            const auto group = lanesAt(mask, node);
            if (node != join) m_stack.push_back({node, join, group});
            mask &= ~group;
        }
    }

    void execute(std::uint32_t node, std::uint32_t mask) {
        auto& block = m_tally.basicBlocks[node];
        ++block.warps;
        block.lanes += std::popcount(mask);
        forLanes(mask, [&](unsigned i) { ++m_at[i]; });
        // Within a basic block all lanes make the same accesses.
        for (;;) {
            std::uint32_t first = 0, together = 0;
            forLanes(mask, [&](unsigned i) {
                const auto word = next(i);
                if (!(word & LaneLog::kAccess)) return;
                if (together == 0) first = word;
                if (word == first) together |= 1U << i;
            });
            if (together == 0) return;
            request(together);
        }
    }

    /// One instruction; an address that names two kinds of memory at once makes one request of each.
    void request(std::uint32_t mask) {
        std::array<LoggedAccess, kLanes> lanes;
        while (mask != 0) {
            std::uint32_t group = 0;
            std::size_t count = 0;
            forLanes(mask, [&](unsigned i) {
                const auto access = LaneLog::unpack(m_at[i]);
                if (count > 0 && (access.space != lanes[0].space || access.size != lanes[0].size)) return;
                lanes[count++] = access;
                group |= 1U << i;
            });
            forLanes(group, [&](unsigned i) { m_at[i] += LaneLog::kAccessWords; });
            const std::span<const LoggedAccess> taken(lanes.data(), count);
            m_tally.fetches += lanes[0].space == Space::texture;
            countRequest(taken, group, m_tally.sites[{lanes[0].pc, lanes[0].space, lanes[0].operation}]);
            if (m_observer) m_observer(taken, group);
            mask &= ~group;
        }
    }

    const FlowGraph& m_graph;
    Tally& m_tally;
    const RequestObserver& m_observer;
    std::array<const std::uint32_t*, kLanes> m_at{}, m_end{};
    std::vector<Entry> m_stack;
    std::uint32_t m_all = 0;
};

}  // namespace

void replayWarp(std::span<const LaneLog> lanes, const FlowGraph& graph, Tally& tally, const RequestObserver& observer) {
    Warp(lanes, graph, tally, observer).run();
}

}  // namespace warplens::gpu::trace
