// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/global_memory.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <sys/mman.h>

namespace warplens::gpu::trace {
namespace {

/// What stands around a buffer: an access a little outside touches nothing else, and is told from one inside.
constexpr std::size_t kGuardBytes = 128 * 1024;
constexpr std::uint32_t kAtomicBit = 0x80000000U;
constexpr std::uint32_t kMostFences = 0xffffU;

std::mutex settling;

}  // namespace

/// The last block that wrote a granule, and the last two that read it, the top bit set when only by atomic loads. Where
/// rows of bytes meet, neighbours share one: a conflict is one of the same bytes.
struct Allocation::Cell {
    /// From the top 28 bits of the block, 4 of the bytes that it wrote, 32 of where: in one word, or another block sees
    /// half of it.
    std::atomic<std::uint64_t> writer;
    std::atomic<std::uint32_t> reader, otherReader, readerPc;
    std::atomic<std::uint8_t> read;     ///< bytes that any of them read
    std::atomic<std::uint16_t> fences;  ///< of the writer before it wrote; the largest number stands for more as well

    static std::uint64_t pack(std::uint32_t block, unsigned bytes, std::uint32_t pc) {
        return std::uint64_t{block} << 36 | std::uint64_t{bytes} << 32 | pc;
    }
    static std::uint32_t blockOf(std::uint64_t writer) { return static_cast<std::uint32_t>(writer >> 36); }
    static unsigned bytesOf(std::uint64_t writer) { return static_cast<unsigned>(writer >> 32) & 0xfU; }
    static std::uint32_t pcOf(std::uint64_t writer) { return static_cast<std::uint32_t>(writer); }

    /// Notes a store; what was noted before it.
    std::uint64_t write(std::uint32_t block, unsigned bytes, std::uint32_t pc) {
        std::uint64_t before = writer.load(), now = 0;
        do {
            now = pack(block, blockOf(before) == block ? bytes | bytesOf(before) : bytes, pc);
        } while (!writer.compare_exchange_weak(before, now));
        return before;
    }
};

namespace {

/// The bytes of granule i, one bit each, that an access touches.
unsigned bytesOf(std::uint64_t i, int shift, std::uint64_t offset, unsigned size) {
    const std::uint64_t begin = i << shift, end = begin + (std::uint64_t{1} << shift);
    const std::uint64_t from = std::max(begin, offset) - begin, to = std::min(end, offset + size) - begin;
    return (1U << to) - (1U << from);
}

/// Keeps the last race, or else the last meeting.
void note(Conflict& kept, const Conflict& one) {
    if (!kept || kept.bothAtomic || !one.bothAtomic) kept = one;
}

}  // namespace

Pages::Pages(std::size_t bytes) : m_bytes(std::max<std::size_t>(bytes, 1)) {
    void* data = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) {
        throw Error(Error::Kind::outOfMemory,
                    "trace: no memory for " + std::to_string(bytes) + " bytes: take a smaller picture");
    }
    m_data = static_cast<char*>(data);
}

Pages::~Pages() { ::munmap(m_data, m_bytes); }

void Pages::clear() { ::madvise(m_data, m_bytes, MADV_DONTNEED); }

Allocation::Allocation(std::size_t bytes)
    : m_pages(bytes + 2 * kGuardBytes),
      m_begin(reinterpret_cast<std::uint64_t>(m_pages.data()) + kGuardBytes),
      m_bytes(bytes) {}

bool Allocation::guards(std::uint64_t address) const {
    return address - (m_begin - kGuardBytes) < m_bytes + 2 * kGuardBytes - 16;
}

void Allocation::settle(unsigned size) {
    const std::lock_guard lock(settling);
    if (m_shift.load() >= 0) return;
    const int shift = size >= 4 ? 2 : size == 2 ? 1 : 0;
    const auto granules = (m_bytes >> shift) + 1;
    m_cells = std::make_unique<Pages>(granules * sizeof(Cell));
    m_loads = std::make_unique<Pages>(granules * sizeof(std::uint32_t));
    m_shift.store(shift);
}

Conflict Allocation::load(const Touch& touch) {
    const auto [address, size, block, pc, first, atomic, ownFences] = touch;
    if (m_shift.load(std::memory_order_acquire) < 0) settle(size);
    const int shift = m_shift.load(std::memory_order_relaxed);
    auto* cells = reinterpret_cast<Cell*>(m_cells->data());
    auto* loads = reinterpret_cast<std::uint32_t*>(m_loads->data());
    Conflict conflict;
    const auto offset = address - m_begin;
    for (auto i = offset >> shift; i <= (offset + size - 1) >> shift; ++i) {
        __atomic_fetch_add(&loads[i], 1U, __ATOMIC_RELAXED);
        Cell& cell = cells[i];
        const unsigned bytes = bytesOf(i, shift, offset, size);
        const auto reader = cell.reader.load(), now = atomic ? block | kAtomicBit : block;
        cell.read.fetch_or(static_cast<std::uint8_t>(bytes), std::memory_order_relaxed);
        if ((reader & ~kAtomicBit) != block) {
            cell.otherReader.store(reader, std::memory_order_relaxed);
            cell.readerPc.store(pc, std::memory_order_relaxed);
            if (cell.reader.exchange(now) == 0) m_read.fetch_add(1, std::memory_order_relaxed);
        } else if (reader != block && !atomic) {
            cell.readerPc.store(pc, std::memory_order_relaxed);
            cell.reader.store(now);
        }
        const auto wrote = cell.writer.load();
        const auto writer = Cell::blockOf(wrote);
        const bool both = atomic && (Cell::pcOf(wrote) & kAtomicBit) != 0;
        if (writer >= first && writer != block && (Cell::bytesOf(wrote) & bytes) != 0) {
            const auto fences = cell.fences.load(std::memory_order_relaxed);
            note(conflict, {writer, Cell::pcOf(wrote) & ~kAtomicBit, true, fences, both});
        }
    }
    return conflict;
}

Conflict Allocation::store(const Touch& touch) {
    const auto [address, size, block, pc, first, atomic, ownFences] = touch;
    if (m_shift.load(std::memory_order_acquire) < 0) settle(size);
    const int shift = m_shift.load(std::memory_order_relaxed);
    auto* cells = reinterpret_cast<Cell*>(m_cells->data());
    Conflict conflict;
    const auto offset = address - m_begin;
    for (auto i = offset >> shift; i <= (offset + size - 1) >> shift; ++i) {
        Cell& cell = cells[i];
        const unsigned bytes = bytesOf(i, shift, offset, size);
        const auto fences = cell.fences.exchange(static_cast<std::uint16_t>(std::min(ownFences, kMostFences)));
        const auto wrote = cell.write(block, bytes, atomic ? pc | kAtomicBit : pc);
        const auto writer = Cell::blockOf(wrote), writerPc = Cell::pcOf(wrote);
        if (writer == 0) m_written.fetch_add(1, std::memory_order_relaxed);
        const bool both = atomic && (writerPc & kAtomicBit) != 0;
        if (writer >= first && writer != block && (Cell::bytesOf(wrote) & bytes) != 0)
            note(conflict, {writer, writerPc & ~kAtomicBit, true, fences, both});
        for (const auto noted : {cell.reader.load(), cell.otherReader.load()}) {
            const auto reader = noted & ~kAtomicBit;
            if (reader >= first && reader != block && (cell.read.load() & bytes) != 0)
                note(conflict, {reader, cell.readerPc.load(std::memory_order_relaxed), false, 0,
                                atomic && (noted & kAtomicBit) != 0});
        }
    }
    return conflict;
}

void Allocation::clear() {
    const std::lock_guard lock(settling);
    m_shift.store(-1);
    m_cells.reset();
    m_loads.reset();
    m_read = m_written = 0;
}

std::vector<std::uint32_t> Allocation::loads() const {
    if (m_shift.load() < 0) return {};
    const auto* first = reinterpret_cast<const std::uint32_t*>(m_loads->data());
    return {first, first + (m_bytes >> m_shift.load())};
}

}  // namespace warplens::gpu::trace
