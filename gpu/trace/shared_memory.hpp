// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/global_memory.hpp"
#include "gpu/trace/image.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::trace {

/// Where the shared arrays lie in a thread's block of thread-locals, and which of them a kernel may touch.
class SharedArrays {
public:
    static constexpr std::uint16_t kNone = 0, kBuiltins = 1, kDynamic = 2;  ///< array numbers; the static ones follow

    explicit SharedArrays(const ProgramImage& image);
    /// Of the byte at this offset.
    std::uint16_t arrayAt(std::uint64_t offset) const { return m_arrayOf[offset]; }
    std::uint64_t begin(std::uint16_t array) const { return m_begin[array]; }
    std::uint64_t bytes() const { return m_arrayOf.size(); }
    /// For each array number whether the kernel may touch it: not the static arrays of another one.
    std::vector<bool> visibleTo(const std::string& mangledKernel) const;

private:
    std::vector<std::uint16_t> m_arrayOf;
    std::vector<std::uint64_t> m_begin;
    std::vector<std::string> m_owner;  ///< the mangled function of a static array, or empty
};

/// One thread's place in its block's order of events.
struct ThreadClock {
    std::uint32_t barriers = 0, warpSyncs = 0;
};

/// What is wrong with an access to shared memory.
struct SharedFault {
    enum class Kind { none, uninitialised, race } kind = Kind::none;
    std::uint16_t thread = 0;  ///< of the other access
    std::uint32_t pc = 0;
    bool wrote = false;
};

/// A shadow of one block's shared memory, byte by byte: the last two threads that wrote and that read it, and when.
/// Starts anew with each block number.
class SharedShadow {
public:
    explicit SharedShadow(std::uint64_t bytes);
    /// `annotated`: races on purpose (relaxed.cuh), with atomics and others of its kind.
    SharedFault load(std::uint64_t offset, unsigned size, std::uint32_t block, std::uint16_t thread, ThreadClock now,
                     std::uint32_t pc, bool annotated = false);
    SharedFault store(std::uint64_t offset, unsigned size, std::uint32_t block, std::uint16_t thread, ThreadClock now,
                      std::uint32_t pc, bool atomic, bool annotated = false);

private:
    /// Packed, so that a cell is one cache line. Block 0: none yet.
    struct Access {
        std::uint32_t block, pc;
        std::uint32_t warpSyncs;        ///< many: each exchange among lanes is one
        std::uint16_t barriers;         ///< modulo 2^16: two accesses are compared for being between the same ones
        std::uint16_t threadAndAtomic;  ///< the thread's number; the top bit set for an atomic or an annotated one

        std::uint16_t thread() const { return threadAndAtomic & 0x7fffU; }
        bool atomic() const { return (threadAndAtomic & 0x8000U) != 0; }
    };
    struct Cell {
        Access writer, otherWriter, reader, otherReader;
    };
    static void enter(Access& last, Access& other, const Access& now);
    static bool races(const Access& before, const Access& now);
    Pages m_pages;  ///< a Cell for each byte
    Cell* m_cells;
};

}  // namespace warplens::gpu::trace
