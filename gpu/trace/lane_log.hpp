// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace warplens::gpu::trace {

/// What one access of one thread was.
struct LoggedAccess {
    std::uint32_t pc = 0;
    std::uint64_t address = 0;  ///< of global and constant memory; for shared memory sharedAddress()
    unsigned size = 0;
    Space space{};
    Operation operation{};
};

/// A place in shared memory: the number of its array above the offset in it.
constexpr unsigned kOffsetBits = 32;
constexpr std::uint64_t sharedAddress(std::uint16_t array, std::uint64_t offset) {
    return std::uint64_t{array} << kOffsetBits | offset;
}
inline std::uint16_t sharedArray(const LoggedAccess& access) {
    return static_cast<std::uint16_t>(access.address >> kOffsetBits);
}
inline std::uint64_t sharedOffset(const LoggedAccess& access) { return access.address & 0xffffffffU; }

/// One thread's basic blocks and accesses in order, packed into words: a basic block is its address, which lies below
/// 2^31 in a program that is not position independent; an access is three words, the first with the top bit set.
class LaneLog {
public:
    static constexpr std::uint32_t kAccess = 0x80000000U;
    static constexpr unsigned kAccessWords = 3;

    void clear() { m_words.clear(); }
    void block(std::uint32_t pc) { m_words.push_back(pc); }
    void access(const LoggedAccess& a) {
        const auto kind =
            a.size << 16U | static_cast<std::uint32_t>(a.space) << 24U | static_cast<std::uint32_t>(a.operation) << 28U;
        m_words.insert(m_words.end(), {a.pc | kAccess, static_cast<std::uint32_t>(a.address),
                                       (static_cast<std::uint32_t>(a.address >> 32U) & 0xffffU) | kind});
    }
    static LoggedAccess unpack(const std::uint32_t* words) {
        return {words[0] & ~kAccess, std::uint64_t{words[2] & 0xffffU} << 32U | words[1], words[2] >> 16U & 0xffU,
                static_cast<Space>(words[2] >> 24U & 0xfU), static_cast<Operation>(words[2] >> 28U)};
    }
    const std::vector<std::uint32_t>& words() const { return m_words; }
    /// Calls `each` with every access in order, those of the first `words` words.
    template <class F>
    void forAccesses(F each, std::size_t words = ~std::size_t{0}) const {
        for (std::size_t i = 0; i < m_words.size() && i < words;) {
            if (!(m_words[i] & kAccess)) {
                ++i;
                continue;
            }
            each(unpack(&m_words[i]));
            i += kAccessWords;
        }
    }

private:
    std::vector<std::uint32_t> m_words;
};

/// The ways from basic block to basic block that a block of threads took.
class EdgeSet {
public:
    struct Edge {
        std::uint32_t from, to;
    };
    void clear() {
        m_seen.fill({});
        m_edges.clear();
        m_seenBusy.fill(0);
        m_busy.clear();
    }
    void add(std::uint32_t from, std::uint32_t to) {
        Edge& seen = m_seen[(from * 31U + to) % m_seen.size()];
        if (seen.from == from && seen.to == to) return;
        seen = {from, to};
        m_edges.push_back(seen);  // now and then one more time, when two edges share a place
    }
    const std::vector<Edge>& edges() const { return m_edges; }

    /// Notes that an access was made in this basic block.
    void makesAccess(std::uint32_t block) {
        auto& seen = m_seenBusy[block % m_seenBusy.size()];
        if (seen == block) return;
        seen = block;
        m_busy.push_back(block);
    }
    const std::vector<std::uint32_t>& busyBlocks() const { return m_busy; }

private:
    std::array<Edge, 1024> m_seen{};
    std::vector<Edge> m_edges;
    std::array<std::uint32_t, 256> m_seenBusy{};
    std::vector<std::uint32_t> m_busy;
};

}  // namespace warplens::gpu::trace
