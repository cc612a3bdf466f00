// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warplens::gpu::trace {

/// Memory that is zero until it is touched, so that a shadow costs what a sample of blocks touches.
class Pages {
public:
    explicit Pages(std::size_t bytes);
    ~Pages();
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    char* data() const { return m_data; }
    void clear();

private:
    char* m_data = nullptr;
    std::size_t m_bytes = 0;
};

/// How an access meets those of other blocks to the same place at the same time. Two that are not plain do not race;
/// that one which is annotated met another is counted.
enum class Sharing { plain, synchronised, annotated };

/// Who touched a place of global memory against the rules: a block and the code that did it. Block 0: nobody.
struct Conflict {
    std::uint32_t block = 0;
    std::uint32_t pc = 0;
    bool wrote = false;
    std::uint32_t fences = 0;  ///< of that block before it wrote
    bool bothAtomic = false;   ///< no race, but a meeting
    explicit operator bool() const { return block != 0; }
};

/// An access of a block of a launch whose first block is `first`.
struct Touch {
    std::uint64_t address = 0;
    unsigned size = 0;
    std::uint32_t block = 0, pc = 0, first = 0;
    bool atomic = false;
    std::uint32_t fences = 0;  ///< of this block so far
};

/// A buffer of the traced device between guards, and what the blocks of the present launch did to each of its granules:
/// 1, 2 or 4 bytes, as wide as its first access. Blocks are numbered through all launches, from 1. Thread-safe.
class Allocation {
public:
    /// Throws Error(outOfMemory).
    explicit Allocation(std::size_t bytes);

    std::uint64_t begin() const { return m_begin; }
    std::uint64_t bytes() const { return m_bytes; }
    bool holds(std::uint64_t address, unsigned size) const {
        return address - m_begin < m_bytes && m_bytes - (address - m_begin) >= size;
    }

    /// Whether the address lies in or around this buffer, where an access does no harm.
    bool guards(std::uint64_t address) const;

    /// Enter an access; give back another block of this launch that it races with.
    Conflict load(const Touch& touch);
    Conflict store(const Touch& touch);

    /// Forgets everything, for a new run.
    void clear();
    /// Bytes read or written since then, each counted once for each.
    std::int64_t distinctBytes() const { return (m_read + m_written) * granule(); }
    /// Loads of each granule since then, the granules of the buffer in order; empty when there was none.
    std::vector<std::uint32_t> loads() const;
    int granule() const { return m_shift.load() < 0 ? 4 : 1 << m_shift.load(); }

private:
    struct Cell;
    void settle(unsigned size);

    Pages m_pages;
    std::uint64_t m_begin = 0, m_bytes = 0;
    std::unique_ptr<Pages> m_cells, m_loads;
    std::atomic<int> m_shift{-1};
    std::atomic<std::int64_t> m_read{0}, m_written{0};
};

}  // namespace warplens::gpu::trace
