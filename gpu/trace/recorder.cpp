// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/recorder.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::gpu::trace {

thread_local constinit Recorder* Recorder::active = nullptr;

namespace {

/// What lies this near the stack pointer is the thread's own: arguments, private arrays.
constexpr std::uint64_t kStackBelow = 4096, kStackAbove = 72 * 1024;

std::string accessWord(Operation operation, unsigned size) {
    const char* verb = operation == Operation::load ? "reads " : operation == Operation::store ? "writes " : "updates ";
    return verb + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

}  // namespace

uint3 LaunchView::indexOf(std::uint32_t number) const {
    const std::uint32_t i = number - firstBlock;
    return {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
}

Recorder::Recorder(const SharedArrays& arrays)
    : m_tlsBytes(arrays.bytes()), m_shadow(arrays.bytes()), m_logs(simt::kMaxThreads), m_lanes(simt::kMaxThreads) {}

void Recorder::beginLaunch(const LaunchView& launch) {
    m_launch = &launch;
    m_lastAllocation = nullptr;
}

void Recorder::beginBlock(uint3 index, bool pilot) {
    for (auto& log : m_logs) log.clear();
    std::fill(m_lanes.begin(), m_lanes.end(), Lane{});
    m_edges.clear();
    m_atomics.clear();
    m_matrixOperations = m_atomicOperations = m_annotatedRaces = 0;
    m_unwritten.clear();
    m_racedReads.clear();
    m_tlsBegin = ProgramImage::traced().threadLocalBegin();
    m_index = index;
    m_block = m_launch->numberOf(index);
    ++m_run;
    m_pilot = pilot;
    m_stopped = false;
    m_fences = 0;
    m_last = 0;
    m_paused = 1;
    m_meets = false;
    m_awaited = {};
    m_barrierEvents.clear();
    m_values.assign(m_keeping ? m_logs.size() : 0, {});
    active = this;
}

void Recorder::endBlock() {
    active = nullptr;
    for (; !m_changed.empty(); m_changed.pop_back()) {
        const Changed& last = m_changed.back();
        std::memcpy(reinterpret_cast<void*>(last.address), &last.value, last.size);
    }
    for (const Lane& lane : m_lanes) {
        if (lane.last != 0) m_edges.add(lane.last, 0);
    }
    for (auto& [pc, finding] : m_unwritten) {
        if (!m_racedReads.contains(pc)) m_launch->findings->add(std::move(finding));
    }
}

void Recorder::threadStarted(unsigned thread) {
    ++m_steps;
    m_thread = thread;
    m_log = &m_logs[thread];
    m_last = 0;
    m_paused = 0;
}

void Recorder::threadEnded(unsigned thread) {
    takeValue();
    m_paused = 1;
    m_lanes[thread].last = m_last;
}

void Recorder::threadBlocked(unsigned thread, simt::WaitReason wait) {
    takeValue();
    if (m_keeping && wait == simt::WaitReason::barrier) {
        const simt::Fiber& fiber = simt::BlockRunner::current().running();
        m_barrierEvents.push_back({thread, m_log->words().size(), m_last, fiber.file, fiber.line});
    }
    Lane& lane = m_lanes[thread];
    lane.paused = m_paused;
    m_paused = 1;
    lane.last = m_last;
    if (wait == simt::WaitReason::barrier) ++lane.clock.barriers;
    if (wait == simt::WaitReason::warp) ++lane.clock.warpSyncs;
}

void Recorder::threadResumed(unsigned thread) {
    m_thread = thread;
    m_log = &m_logs[thread];
    m_last = m_lanes[thread].last;
    m_paused = m_lanes[thread].paused;
}

void Recorder::enterBasicBlock(std::uint32_t pc) {
    if (m_paused != 0) return;
    m_paused = 1;
    takeValue();
    m_log->block(pc);
    if (m_last != 0) m_edges.add(m_last, pc);
    m_last = pc;
    m_paused = 0;
}

void Recorder::access(const volatile void* pointer, unsigned size, Operation operation, std::uint32_t pc,
                      Sharing sharing) {
    if (m_paused != 0) return;
    m_paused = 1;
    check(reinterpret_cast<std::uint64_t>(pointer), size, operation, pc, sharing);
    m_paused = 0;
}

void Recorder::fetch(const volatile void* pointer, unsigned size, std::uint32_t pc) {
    if (m_paused != 0) return;
    m_paused = 1;
    takeValue();
    global(reinterpret_cast<std::uint64_t>(pointer), size, Operation::load, pc, Sharing::plain, Space::texture);
    m_paused = 0;
}

void Recorder::acquired(const volatile void* pointer) {
    if (m_paused != 0 || m_pilot) return;
    m_paused = 1;
    m_launch->publications.acquire(m_block, reinterpret_cast<std::uint64_t>(pointer));
    m_paused = 0;
}

void Recorder::check(std::uint64_t address, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing) {
    takeValue();
    // threadIdx and its like lie in another module's thread-locals than a loaded kernel.
    if (address - reinterpret_cast<std::uint64_t>(&simt::builtins) < sizeof simt::builtins) return;
    if (address - m_tlsBegin < m_tlsBytes) return shared(address - m_tlsBegin, size, operation, pc, sharing);
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    if (address - (here - kStackBelow) < kStackBelow + kStackAbove) return;
    if (operation == Operation::load && constant(address, size, pc)) return;
    global(address, size, operation, pc, sharing);
}

void Recorder::shared(std::uint64_t offset, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing) {
    const auto array = m_launch->arrays->arrayAt(offset);
    const auto begin = m_launch->arrays->begin(array);
    const bool inside = array == SharedArrays::kDynamic
                            ? offset - begin + size <= m_launch->sharedBytes
                            : array != SharedArrays::kNone && m_launch->visibleArrays[array] &&
                                  offset + size <= m_tlsBytes && m_launch->arrays->arrayAt(offset + size - 1) == array;
    if (!inside) return outOfBounds("of shared memory", operation, size, pc, true);
    const auto clock = m_lanes[m_thread].clock;
    const auto thread = static_cast<std::uint16_t>(m_thread);
    const bool annotated = sharing == Sharing::annotated;
    const auto fault = operation == Operation::load ? m_shadow.load(offset, size, m_run, thread, clock, pc, annotated)
                                                    : m_shadow.store(offset, size, m_run, thread, clock, pc,
                                                                     operation == Operation::atomic, annotated);
    if (fault.kind != SharedFault::Kind::none) {
        const bool race = fault.kind == SharedFault::Kind::race;
        auto finding = found(race ? Finding::Check::sharedRace : Finding::Check::uninitialisedShared, pc);
        finding.what = accessWord(operation, size) + " of shared memory";
        if (race) {
            finding.otherThread = threadOf(fault.thread);
            finding.otherBlock = m_index;
            finding.otherPc = fault.pc;
            finding.otherWhat = fault.wrote ? "wrote" : "read";
            if (!fault.wrote) m_racedReads.insert(fault.pc);
        }
        // What is read before another thread writes it looks unwritten until that thread comes, and then is a race.
        if (race)
            m_launch->findings->add(std::move(finding));
        else
            m_unwritten.try_emplace(pc, std::move(finding));
    }
    if (operation == Operation::atomic) ++m_atomics[offset];
    log({pc, sharedAddress(array, offset - begin), size, Space::shared, operation}, m_tlsBegin + offset);
}

bool Recorder::constant(std::uint64_t address, unsigned size, std::uint32_t pc) {
    if (address - m_constantBegin >= m_constantEnd - m_constantBegin) {
        const ProgramImage& image = ProgramImage::traced();
        if (!image.contains(address)) return false;
        const auto* object = image.objectAt(address);
        if (object == nullptr) {
            // Literals of the compiler have no symbol, and are immediate on a GPU.
            if (image.inData(address)) outOfBounds("of constant memory", Operation::load, size, pc, true);
            return true;
        }
        m_constantBegin = object->address;
        m_constantEnd = object->address + object->size;
    }
    if (m_constantEnd - address < size) {
        outOfBounds("of constant memory", Operation::load, size, pc, true);
    } else {
        log({pc, address, size, Space::constant, Operation::load}, address);
    }
    return true;
}

void Recorder::global(std::uint64_t address, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing,
                      Space space) {
    if (m_lastAllocation == nullptr || !m_lastAllocation->holds(address, size)) {
        const auto& all = m_launch->allocations;
        const auto holder =
            std::find_if(all.begin(), all.end(), [&](const Allocation* a) { return a->holds(address, size); });
        if (holder == all.end()) {
            const bool near =
                std::any_of(all.begin(), all.end(), [&](const Allocation* a) { return a->guards(address); });
            return outOfBounds("of global memory", operation, size, pc, near);
        }
        m_lastAllocation = *holder;
    }
    if (!m_pilot) findRace(address, size, operation, pc, sharing);
    if (operation == Operation::atomic) ++m_atomics[address];
    if (sharing == Sharing::synchronised && operation != Operation::load) {
        if (operation == Operation::store) fence();
        if (m_pilot) {
            m_changed.push_back({address, 0, size});
            std::memcpy(&m_changed.back().value, reinterpret_cast<const void*>(address), size);
        } else if (m_fences > 0) {
            m_launch->publications.release(m_block, m_fences, address);
        }
    }
    m_meets = m_meets || sharing != Sharing::plain;
    log({pc, address, size, space, operation}, address);
}

void Recorder::findRace(std::uint64_t address, unsigned size, Operation operation, std::uint32_t pc, Sharing sharing) {
    auto& allocation = const_cast<Allocation&>(*m_lastAllocation);
    const Touch touch{address, size, m_block, pc, m_launch->firstBlock, sharing != Sharing::plain, m_fences};
    const auto conflict = operation == Operation::load ? allocation.load(touch) : allocation.store(touch);
    if (!conflict || (conflict.bothAtomic && sharing != Sharing::annotated)) return;
    if (m_launch->publications.order(conflict.block, conflict.fences, m_block)) return;
    if (conflict.bothAtomic) {
        ++m_annotatedRaces;
        return;
    }
    auto finding = found(Finding::Check::globalRace, pc);
    finding.what = accessWord(operation, size) + " of global memory";
    finding.otherBlock = m_launch->indexOf(conflict.block);
    finding.otherPc = conflict.pc;
    finding.otherWhat = conflict.wrote ? "wrote" : "read";
    m_launch->findings->add(std::move(finding));
}

void Recorder::log(const LoggedAccess& access, std::uint64_t place) {
    m_edges.makesAccess(m_last);
    m_log->access(access);
    if (!m_keeping || access.operation == Operation::load) return;
    m_awaited = {place,
                 std::min<unsigned>(access.size, sizeof(StoredValue)),
                 m_thread,
                 access.operation == Operation::atomic,
                 {}};
    // The hook comes before the access.
    std::memcpy(&m_awaited.before, reinterpret_cast<const void*>(place), m_awaited.size);
}

void Recorder::takeValue() {
    if (m_awaited.place == 0) return;
    StoredValue value{};
    std::memcpy(&value, reinterpret_cast<const void*>(m_awaited.place), m_awaited.size);
    for (std::size_t i = 0; m_awaited.atomic && i < value.size(); ++i) value[i] -= m_awaited.before[i];
    m_values[m_awaited.thread].push_back(value);
    m_awaited.place = 0;
}

void Recorder::outOfBounds(const char* what, Operation operation, unsigned size, std::uint32_t pc, bool harmless) {
    auto finding = found(Finding::Check::outOfBounds, pc);
    finding.what = accessWord(operation, size) + " " + what;
    m_launch->findings->add(std::move(finding));
    // What would fault, or destroy what is not the kernel's, is not done: the thread ends here.
    if (harmless) return;
    m_stopped = true;
    simt::BlockRunner::current().suspend(simt::WaitReason::forever, 0, "", 0);
}

Finding Recorder::found(Finding::Check check, std::uint32_t pc) const {
    Finding finding;
    finding.check = check;
    finding.kernel = m_launch->kernel;
    finding.block = m_index;
    finding.thread = threadOf(m_thread);
    finding.pc = pc;
    return finding;
}

uint3 Recorder::threadOf(unsigned thread) const {
    const dim3& b = m_launch->block;
    return {thread % b.x, thread / b.x % b.y, thread / b.x / b.y};
}

std::uint64_t Recorder::words() const {
    std::uint64_t sum = 0;
    for (const auto& log : m_logs) sum += log.words().size();
    return sum;
}

std::int64_t Recorder::barriers() const {
    std::uint32_t most = 0;
    for (const auto& lane : m_lanes) most = std::max(most, lane.clock.barriers);
    return most;
}

std::int64_t Recorder::contention() const {
    std::int64_t most = 0;
    for (const auto& [address, count] : m_atomics) most = std::max(most, count);
    return most;
}

}  // namespace warplens::gpu::trace
