// SPDX-License-Identifier: Apache-2.0
// What the compiler calls before each access to memory in a kernel of the user's; the hooks take the place of a
// sanitizer's runtime.
#include "app/worker/check.hpp"

#include "app/worker/count.hpp"
#include "gpu/core/counters.hpp"
#include "gpu/device/simt/block_runner.hpp"
#include "gpu/device/simt/dynamic_shared.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <optional>

namespace warplens::worker {
namespace {

namespace simt = gpu::simt;

/// A place that touched a byte or an output value, and when.
struct Access {
    std::uint32_t block = 0;  ///< counted from 1; 0: none yet
    std::uint32_t place = 0;
    std::uint32_t warpSyncs = 0;
    std::uint16_t barriers = 0;
    std::uint16_t thread = 0;
    bool atomic = false;
};
struct Cell {
    Access writer, reader, otherReader;
};

using gpu::Operation;

constexpr std::uint64_t kStack = 96 * 1024;
/// Bytes that one instruction reads or writes, at most.
constexpr unsigned kWidest = 16;
/// Output values that are watched for races, at most.
constexpr std::size_t kMostWatched = std::size_t{1} << 22;

class Checker final : public simt::ThreadObserver {
public:
    std::vector<Range> ranges;
    Report report = nullptr;
    std::uint64_t base = 0, begin = 0, end = 0, shared = 0, sharedBytes = 0, last = 0, steps = 0, valueBytes = 4;
    bool thorough = true, inThread = false;
    bool ordered = false;  ///< a fence in this launch may order blocks: those race no more, as far as can be told
    std::uint64_t dynamic = 0, dynamicBytes = 0;  ///< of the launch's shared memory, what it asked for
    std::vector<Cell> sharedCells, outputCells;

    void threadStarted(unsigned thread) override {
        if (thread == 0) endOfBlock();
        inThread = true;
        ++steps;
        m_clocks[thread] = {};
        m_paused[thread] = 0;
    }
    void threadEnded(unsigned) override {
        ++steps;
        inThread = false;
    }
    void nextLaunch() {
        ordered = false;
        const auto& grid = simt::builtins.gridDim;
        m_firstBlock += grid.x * grid.y * grid.z;
    }
    /// Tells what can be told only when the block is done.
    void endOfBlock() {
        if (m_unwritten) report(*m_unwritten);
    }
    void threadBlocked(unsigned thread, simt::WaitReason wait) override {
        if (wait == simt::WaitReason::barrier) ++m_clocks[thread].barriers;
        if (wait == simt::WaitReason::warp) ++m_clocks[thread].warpSyncs;
    }
    void threadResumed(unsigned) override { inThread = true; }
    /// Of the running thread: what a word of the device's does inside is not what a GPU does.
    void pause(int by) { m_paused[threadNow()] += by; }

    void access(std::uint64_t address, unsigned size, Operation does, std::uint64_t caller) {
        last = caller;
        // Its launcher is the host's.
        if (!inThread || m_paused[threadNow()] > 0 || address - m_builtins < sizeof simt::builtins) return;
        if (address - shared < sharedBytes) return sharedAccess(address - shared, size, sharedBytes, does, caller);
        if (dynamic != 0 && address - dynamic < simt::kMaxSharedBytes)
            return sharedAccess(sharedBytes + address - dynamic, size, sharedBytes + dynamicBytes, does, caller);
        for (const Range& range : ranges) {
            if (address - range.begin >= range.end - range.begin) continue;
            if (address + size > range.end) return stray(address, size, does, caller);
            // What is copied as a whole is aligned as its members are.
            if (size <= kWidest && address % size != 0)
                incident("misaligned address",
                         verb(does) + bytes(size) + " of " + range.name + " at an address that is no multiple of " +
                             std::to_string(size),
                         caller);
            if (does != Operation::load && !range.writable)
                incident("write to the input", "writes to " + range.name + ", which is there to be read", caller);
            if (thorough && range.writable && !range.shared && !ordered && !outputCells.empty())
                outputAccess(address - range.begin, size, does, caller);
            return;
        }
        const auto frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
        if (address > frame && address < frame + kStack) return;  // its own variables
        if (address >= begin && address < end) return;            // constants
        stray(address, size, does, caller);
    }

private:
    struct Clock {
        std::uint16_t barriers = 0;
        std::uint32_t warpSyncs = 0;
    };

    static std::string verb(Operation does) {
        return does == Operation::load ? "reads " : does == Operation::store ? "writes " : "updates ";
    }
    static std::string bytes(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }
    static unsigned threadNow() {
        const auto& b = simt::builtins;
        return (b.threadIdx.z * b.blockDim.y + b.threadIdx.y) * b.blockDim.x + b.threadIdx.x;
    }
    /// Counted on from one launch to the next.
    std::uint32_t blockNow() const {
        const auto& b = simt::builtins;
        return m_firstBlock + (b.blockIdx.z * b.gridDim.y + b.blockIdx.y) * b.gridDim.x + b.blockIdx.x;
    }
    std::string nameOfThread(const Access& access) const {
        const auto& dim = simt::builtins.blockDim;
        const unsigned t = access.thread;
        std::string text = "thread (" + std::to_string(t % dim.x) + ", " + std::to_string(t / dim.x % dim.y) + ", " +
                           std::to_string(t / dim.x / dim.y) + ")";
        if (access.block != blockNow()) text += " of block " + std::to_string(access.block - m_firstBlock);
        return text;
    }

    Incident made(const char* kind, std::string what, std::uint64_t caller) const {
        Incident all{.what = std::move(what), .kind = kind, .place = caller - base, .located = true};
        all.block = simt::builtins.blockIdx;
        all.thread = simt::builtins.threadIdx;
        return all;
    }
    void incident(const char* kind, std::string what, std::uint64_t caller, const Access* other = nullptr,
                  const char* otherDid = "") {
        Incident all = made(kind, std::move(what), caller);
        if (other != nullptr) {
            all.other = nameOfThread(*other) + " " + otherDid;
            all.otherPlace = other->place;
        }
        report(all);
    }

    void stray(std::uint64_t address, unsigned size, Operation does, std::uint64_t caller) {
        const std::string did = verb(does) + bytes(size) + " ";
        if (address < 4096)
            incident("null pointer", did + "at address " + std::to_string(address) + ", a null pointer", caller);
        // The nearest of what it was given is what it meant.
        const Range* nearest = nullptr;
        std::uint64_t distance = 1 << 20;
        bool before = false;
        const auto consider = [&](const Range& range) {
            if (address + size > range.end && address - range.end < distance + size &&
                address + size - range.end < distance) {
                distance = address + size - range.end;
                nearest = &range;
                before = false;
            }
            if (address < range.begin && range.begin - address < distance) {
                distance = range.begin - address;
                nearest = &range;
                before = true;
            }
        };
        for (const Range& range : ranges) consider(range);
        const Range ofBlock{"its shared memory", shared, shared + sharedBytes};
        if (sharedBytes > 0) consider(ofBlock);
        if (nearest == nullptr)
            incident("illegal address", did + "at an address that belongs to nothing it was given", caller);
        incident("out of bounds",
                 did +
                     (before ? "that begin " + bytes(distance) + " before "
                             : "that end " + bytes(distance) + " beyond the end of ") +
                     nearest->name,
                 caller);
    }

    Access now(Operation does, std::uint64_t caller) {
        const unsigned thread = threadNow();
        const Clock clock = m_clocks[thread];
        return {blockNow(),     static_cast<std::uint32_t>(caller - base), clock.warpSyncs,
                clock.barriers, static_cast<std::uint16_t>(thread),        does == Operation::atomic};
    }
    bool races(const Access& before, const Access& now, bool acrossBlocks) const {
        if (before.block < m_firstBlock || (before.atomic && now.atomic)) return false;
        if (before.block != now.block) return acrossBlocks;
        if (before.barriers != now.barriers || before.thread == now.thread) return false;
        // Lanes of one warp are ordered by a warp's own synchronisation as well.
        return before.thread / 32 != now.thread / 32 || before.warpSyncs >= now.warpSyncs;
    }
    void enter(Cell& cell, const Access& access, Operation does, const std::string& where, std::uint64_t caller,
               bool acrossBlocks) {
        const std::string did = verb(does) + where;
        if (races(cell.writer, access, acrossBlocks)) incident("data race", did, caller, &cell.writer, "writes it");
        if (does == Operation::load) {
            if (cell.reader.thread != access.thread || cell.reader.block != access.block)
                cell.otherReader = cell.reader;
            cell.reader = access;
            return;
        }
        for (const Access& reader : {cell.reader, cell.otherReader})
            if (races(reader, access, acrossBlocks)) incident("data race", did, caller, &reader, "reads it");
        cell.writer = access;
    }
    void sharedAccess(std::uint64_t offset, unsigned size, std::uint64_t limit, Operation does, std::uint64_t caller) {
        if (offset + size > limit) incident("out of bounds", verb(does) + "beyond its shared memory", caller);
        if (!thorough) return;
        const Access access = now(does, caller);
        for (std::uint64_t i = offset; i < offset + size; ++i) {
            Cell& cell = sharedCells[i];
            // Another thread may write it yet before the next barrier, which is a race then.
            if (does != Operation::store && cell.writer.block != access.block && !m_unwritten)
                m_unwritten = made("uninitialised shared memory",
                                   "reads shared memory that no thread of its block has written", caller);
            // What another block left behind is no longer there.
            if (cell.writer.block != access.block) cell.writer = {};
            enter(cell, access, does, "shared memory", caller, false);
        }
    }
    void outputAccess(std::uint64_t offset, unsigned size, Operation does, std::uint64_t caller) {
        const Access access = now(does, caller);
        for (auto at = offset / valueBytes; at < (offset + size + valueBytes - 1) / valueBytes; ++at)
            enter(outputCells[at], access, does, "a value of the output", caller, true);
    }

    std::optional<Incident> m_unwritten;
    std::uint32_t m_firstBlock = 1;  ///< of the running launch
    std::array<Clock, simt::kMaxThreads> m_clocks{};
    std::array<int, simt::kMaxThreads> m_paused{};
    const std::uint64_t m_builtins = reinterpret_cast<std::uint64_t>(&simt::builtins);
};

Checker checker;

inline void record(const volatile void* address, std::size_t size, Operation does, const void* caller) {
    if (counting) {
        checker.last = reinterpret_cast<std::uint64_t>(caller) - 1;
        return countAccess(address, size, does, caller);
    }
    checker.access(reinterpret_cast<std::uint64_t>(address), static_cast<unsigned>(size), does,
                   reinterpret_cast<std::uint64_t>(caller) - 1);
}

}  // namespace

void watch(std::vector<Range> ranges, std::size_t outputBytes, std::size_t valueBytes, Report report) {
    checker.ranges = std::move(ranges);
    checker.report = report;
    checker.valueBytes = valueBytes;
    if (outputBytes / valueBytes <= kMostWatched) checker.outputCells.assign(outputBytes / valueBytes, {});
    simt::BlockRunner::current().setObserver(&checker);
}

void watchNext(std::vector<Range> ranges) {
    checker.nextLaunch();
    checker.ranges = std::move(ranges);
}

void watchMemory(std::uint64_t begin, std::size_t bytes, std::string name) {
    checker.ranges.push_back({std::move(name), begin, begin + bytes, true, true});
}

void forgetMemory(std::uint64_t begin) {
    std::erase_if(checker.ranges, [&](const Range& range) { return range.begin == begin; });
}

void watchInput(std::uint64_t begin, std::string name) {
    for (Range& range : checker.ranges) {
        if (range.begin != begin) continue;
        range.name = std::move(name);
        range.writable = false;
    }
}

void watchOutput(std::uint64_t begin, std::size_t valueBytes) {
    for (Range& range : checker.ranges) {
        if (range.begin != begin) continue;
        range.name = "the output";
        range.shared = false;
        checker.valueBytes = valueBytes;
        const std::size_t values = (range.end - range.begin) / valueBytes;
        if (values <= kMostWatched) checker.outputCells.assign(values, {});
    }
}

void watchLaunch(std::size_t dynamicSharedBytes) {
    if (checker.dynamic == 0) {
        checker.dynamic = reinterpret_cast<std::uint64_t>(gpu::dynamicShared);
        checker.sharedCells.resize(checker.sharedBytes + simt::kMaxSharedBytes);
    }
    checker.nextLaunch();
    checker.dynamicBytes = dynamicSharedBytes;
}

void setModule(std::uint64_t base, std::uint64_t begin, std::uint64_t end, void* shared, std::size_t sharedBytes) {
    checker.base = base;
    checker.begin = begin;
    checker.end = end;
    checker.shared = reinterpret_cast<std::uint64_t>(shared);
    checker.sharedBytes = sharedBytes;
    checker.sharedCells.assign(sharedBytes, {});
}

void setThorough(bool thorough) {
    checker.endOfBlock();
    checker.thorough = thorough;
}
std::uint64_t progress() { return counting ? countedThreads() : checker.steps; }
bool inThread() { return counting ? countsNow() : checker.inThread; }
std::uint64_t placeOf(std::uint64_t address) {
    return address >= checker.begin && address < checker.end ? address - checker.base : 0;
}
std::uint64_t lastPlace() { return checker.last == 0 ? 0 : placeOf(checker.last); }

}  // namespace warplens::worker

using warplens::gpu::Operation;
using warplens::worker::record;

#include "gpu/trace/compiler_hooks.inc"

extern "C" {

void warplens_atomic(const volatile void* address, unsigned long bytes, const void* caller) {
    if (!warplens::worker::counting) return record(address, bytes, Operation::atomic, caller);
    warplens::worker::countAtomic(address, bytes, caller);
}

void warplens_atomic_done(const volatile void* address) { warplens::worker::countAtomicDone(address); }
void warplens_fence() {
    warplens::worker::checker.ordered = true;
    warplens::worker::countFence();
}
void warplens_fetch(const volatile void* address, unsigned long bytes, const void* caller) {
    if (!warplens::worker::counting) return record(address, bytes, Operation::load, caller);
    warplens::worker::countFetch(address, bytes, caller);
}
void warplens_between(const volatile void* address, unsigned long bytes, const void* caller, int how) {
    warplens::worker::checker.ordered = true;
    if (!warplens::worker::counting) return record(address, bytes, Operation::atomic, caller);
    warplens::worker::countBetween(address, bytes, caller, how);
}
void warplens_between_done(const volatile void* address, unsigned long bytes, const void* caller, int how) {
    warplens::worker::countBetweenDone(address, bytes, caller, how);
}
void warplens_operations(int ofAtomics, int ofMatrices) { warplens::worker::countOperations(ofAtomics, ofMatrices); }
void warplens_basic_block() {
    warplens::worker::checker.last = reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1;
    warplens::worker::countBlock(__builtin_return_address(0));
}

void warplens_pause(int by) {
    warplens::worker::counting ? warplens::worker::countPause(by) : warplens::worker::checker.pause(by);
}

/// What kernels print goes to standard error, up to as much as anybody reads.
int warplens_print(const char* format, ...) {
    constexpr int kMost = 1 << 20;
    static int printed = 0;
    va_list arguments;
    va_start(arguments, format);
    const int bytes = std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    printed += std::max(bytes, 1);
    if (printed > kMost)
        warplens::worker::checker.report(
            {.what = "prints more than 1 MiB",
             .kind = "printf flood",
             .place = warplens::worker::placeOf(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1),
             .block = warplens::gpu::simt::builtins.blockIdx,
             .thread = warplens::gpu::simt::builtins.threadIdx,
             .located = true});
    return bytes;
}

/// In the place of the C library's, for the kernel alone: nothing of ours is to be ended in order here.
[[noreturn]] void exit(int status) {
    warplens::worker::checker.report(
        {.what = "calls exit(" + std::to_string(status) + ")",
         .kind = "exit",
         .place = warplens::worker::placeOf(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1),
         .block = warplens::gpu::simt::builtins.blockIdx,
         .thread = warplens::gpu::simt::builtins.threadIdx,
         .located = true});
    __builtin_trap();
}

/// In the place of the C library's, which an assertion calls that fails.
[[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line, const char*) {
    warplens::worker::checker.report(
        {.what = std::string("fails its assertion '") + expression + "' at " + file + ":" + std::to_string(line),
         .kind = "assertion",
         .block = warplens::gpu::simt::builtins.blockIdx,
         .thread = warplens::gpu::simt::builtins.threadIdx,
         .located = true});
    __builtin_trap();
}

}  // extern "C"
