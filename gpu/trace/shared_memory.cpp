// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/shared_memory.hpp"

namespace warplens::gpu::trace {
namespace {

constexpr const char* kBuiltinsName = "_ZN8warplens3gpu4simt8builtinsE";
constexpr const char* kDynamicName = "_ZN8warplens3gpu13dynamicSharedE";

/// "_ZZN1a6kernelIfEvPfE4tile" is an array of "_ZN1a6kernelIfEvPf": the function's name ends where a prefix of it is
/// one.
std::string ownerOf(const ProgramImage& image, const std::string& name) {
    if (name.rfind("_ZZ", 0) != 0) return {};
    for (auto end = name.find('E'); end != std::string::npos; end = name.find('E', end + 1)) {
        std::string function = "_Z" + name.substr(3, end - 3);
        if (image.functionNamed(function) != nullptr) return function;
    }
    return {};
}

}  // namespace

SharedArrays::SharedArrays(const ProgramImage& image)
    : m_arrayOf(image.threadLocalBytes(), kNone), m_begin(3), m_owner(3) {
    for (const auto& symbol : image.threadLocals()) {
        std::uint16_t array = static_cast<std::uint16_t>(m_begin.size());
        if (symbol.name == kBuiltinsName) array = kBuiltins;
        if (symbol.name == kDynamicName) array = kDynamic;
        if (array == m_begin.size()) {
            m_begin.push_back(0);
            // A loaded kernel is the only one, and its functions may be there once more beside what was inlined.
            m_owner.push_back(image.loadedFile().empty() ? ownerOf(image, symbol.name) : std::string());
        }
        m_begin[array] = symbol.address;
        for (auto i = symbol.address; i < symbol.address + symbol.size && i < m_arrayOf.size(); ++i)
            m_arrayOf[i] = array;
    }
}

std::vector<bool> SharedArrays::visibleTo(const std::string& mangledKernel) const {
    std::vector<bool> visible(m_owner.size());
    for (std::size_t i = 0; i < m_owner.size(); ++i)
        visible[i] = i != kNone && (m_owner[i].empty() || m_owner[i] == mangledKernel);
    return visible;
}

SharedShadow::SharedShadow(std::uint64_t bytes)
    : m_pages(bytes * sizeof(Cell)), m_cells(reinterpret_cast<Cell*>(m_pages.data())) {}

bool SharedShadow::races(const Access& before, const Access& now) {
    if (before.block != now.block || before.barriers != now.barriers || before.thread() == now.thread()) return false;
    // Lanes of one warp are ordered by a warp's own synchronisation as well.
    const bool warpOrdered = before.thread() / 32 == now.thread() / 32 && before.warpSyncs < now.warpSyncs;
    return !warpOrdered && !(before.atomic() && now.atomic());
}

void SharedShadow::enter(Access& last, Access& other, const Access& now) {
    if (last.thread() != now.thread()) other = last;
    last = now;
}

SharedFault SharedShadow::load(std::uint64_t offset, unsigned size, std::uint32_t block, std::uint16_t thread,
                               ThreadClock clock, std::uint32_t pc, bool annotated) {
    const Access now{block, pc, clock.warpSyncs, static_cast<std::uint16_t>(clock.barriers),
                     static_cast<std::uint16_t>(thread | (annotated ? 0x8000U : 0U))};
    SharedFault fault;
    for (auto i = offset; i < offset + size; ++i) {
        Cell& cell = m_cells[i];
        if (cell.writer.block != block) fault = {.kind = SharedFault::Kind::uninitialised};
        for (const Access& writer : {cell.writer, cell.otherWriter}) {
            if (races(writer, now)) fault = {SharedFault::Kind::race, writer.thread(), writer.pc, true};
        }
        enter(cell.reader, cell.otherReader, now);
    }
    return fault;
}

SharedFault SharedShadow::store(std::uint64_t offset, unsigned size, std::uint32_t block, std::uint16_t thread,
                                ThreadClock clock, std::uint32_t pc, bool atomic, bool annotated) {
    const Access now{block, pc, clock.warpSyncs, static_cast<std::uint16_t>(clock.barriers),
                     static_cast<std::uint16_t>(thread | (atomic || annotated ? 0x8000U : 0U))};
    SharedFault fault;
    for (auto i = offset; i < offset + size; ++i) {
        Cell& cell = m_cells[i];
        if (atomic && cell.writer.block != block) fault = {.kind = SharedFault::Kind::uninitialised};
        for (const Access& reader : {cell.reader, cell.otherReader}) {
            if (races(reader, now)) fault = {SharedFault::Kind::race, reader.thread(), reader.pc, false};
        }
        for (const Access& writer : {cell.writer, cell.otherWriter}) {
            if (races(writer, now)) fault = {SharedFault::Kind::race, writer.thread(), writer.pc, true};
        }
        enter(cell.writer, cell.otherWriter, now);
    }
    return fault;
}

}  // namespace warplens::gpu::trace
