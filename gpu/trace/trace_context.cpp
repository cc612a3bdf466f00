// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/trace_context.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/simt/dynamic_shared.hpp"
#include "gpu/device/simt/running_blocks.hpp"
#include "gpu/trace/block_probe.hpp"
#include "gpu/trace/kernel_run.hpp"
#include "gpu/trace/recorder.hpp"
#include "gpu/trace/replay.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tuple>
#include <utility>

namespace warplens::gpu::trace {
namespace {

/// What one OS thread needs to trace blocks.
struct Worker {
    explicit Worker(const SharedArrays& arrays) : recorder(arrays) {}
    Recorder recorder;
    std::array<Tally, kKinds> tallies;
};

/// Runs a block under the recorder's eyes. A block that cannot end is a finding, not an error.
void runRecorded(simt::RunningBlocks& blocks, Recorder& recorder, const LaunchView& launch, uint3 index,
                 simt::Thunk thread, bool pilot) {
    // What a block leaves behind must not look like data to the next.
    if (launch.sharedBytes > 0) std::memset(dynamicShared, 0xff, launch.sharedBytes);
    auto& runner = simt::BlockRunner::current();
    runner.setObserver(&recorder);
    recorder.beginBlock(index, pilot);
    try {
        runner.run(blocks, launch.grid, launch.block, index, thread, 0);
    } catch (const Error& error) {
        if (!recorder.stoppedAThread() && error.kind() != Error::Kind::cancelled) {
            Finding finding;
            finding.check =
                error.kind() == Error::Kind::deadlock ? Finding::Check::deadlock : Finding::Check::divergentBarrier;
            finding.kernel = launch.kernel;
            finding.block = index;
            finding.message = error.what();
            launch.findings->add(std::move(finding));
        }
    }
    recorder.endBlock();
    runner.setObserver(nullptr);
}

/// What the launch's buffers hold.
std::vector<std::vector<char>> contents(const LaunchView& launch) {
    std::vector<std::vector<char>> all;
    for (const Allocation* buffer : launch.allocations) {
        const auto* begin = reinterpret_cast<const char*>(buffer->begin());
        all.emplace_back(begin, begin + buffer->bytes());
    }
    return all;
}

void restore(const LaunchView& launch, const std::vector<std::vector<char>>& all) {
    for (std::size_t i = 0; i < all.size(); ++i)
        std::memcpy(reinterpret_cast<char*>(launch.allocations[i]->begin()), all[i].data(), all[i].size());
}

/// Runs all blocks before this one, unrecorded: what they leave behind it may wait for.
void runBefore(simt::RunningBlocks& blocks, const LaunchView& launch, uint3 index, simt::Thunk thread) {
    for (auto number = launch.firstBlock; number < launch.numberOf(index); ++number)
        simt::BlockRunner::current().run(blocks, launch.grid, launch.block, launch.indexOf(number), thread, 0);
}

void count(const Recorder& recorder, const LaunchView& launch, Tally& tally) {
    const FlowGraph graph(recorder.edges());
    Tally block;
    const std::size_t threads = std::size_t{launch.block.x} * launch.block.y * launch.block.z;
    for (std::size_t first = 0; first < threads; first += simt::kWarpSize) {
        const auto lanes = std::min<std::size_t>(simt::kWarpSize, threads - first);
        replayWarp(std::span(recorder.logs()).subspan(first, lanes), graph, block);
    }
    for (const auto& [pc, executed] : block.basicBlocks) {
        if (graph.branches(pc)) block.branches += executed.warps;
    }
    block.barriers = recorder.barriers();
    block.contention = recorder.contention();
    block.matrixOperations = recorder.matrixOperations();
    block.atomicOperations = recorder.atomicOperations();
    block.annotatedRaces = recorder.annotatedRaces();
    block.blocks = 1;
    tally.add(block);
}

}  // namespace

struct TraceContext::Recording {
    SharedArrays arrays{ProgramImage::traced()};
    Findings findings;
    std::map<std::uint64_t, std::unique_ptr<Allocation>> allocations;
    std::vector<std::unique_ptr<Worker>> workers;
    tbb::task_arena arena;

    bool active = false;
    SamplePolicy policy;
    std::function<void(double)> progress;
    std::vector<KernelRun> runs;
    std::uint32_t nextBlock = 1;

    Worker& worker(std::size_t slot) {
        if (workers[slot] == nullptr) workers[slot] = std::make_unique<Worker>(arrays);
        return *workers[slot];
    }
    /// One launch in which a probe has its blocks.
    void look(TraceContext& context, const LaunchView& launch, simt::RunningBlocks& running, simt::Thunk thread);
    KernelRun& runOf(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes) {
        const auto key = [](const dim3& d) { return std::tuple(d.x, d.y, d.z); };
        for (auto& run : runs) {
            if (run.kernel == kernel && key(run.grid) == key(grid) && key(run.block) == key(block) &&
                run.sharedBytes == sharedBytes)
                return run;
        }
        runs.push_back({.kernel = kernel, .grid = grid, .block = block, .sharedBytes = sharedBytes, .tallies = {}});
        return runs.back();
    }
};

void TraceContext::Recording::look(TraceContext& context, const LaunchView& launch, simt::RunningBlocks& running,
                                   simt::Thunk thread) {
    BlockProbe& probe = *context.m_probe;
    const bool follows = probe.follows();
    const auto blocks = probe.blocks(launch);
    if (follows && blocks.empty()) return context.m_engine.run(launch.grid, launch.block, launch.sharedBytes, thread);
    auto& recorder = worker(0).recorder;
    recorder.beginLaunch(launch);
    recorder.keepEvents(follows);
    const simt::RunningBlocks::Worker takesPart(running);
    for (const uint3 index : blocks) {
        if (context.m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "trace: stopped");
        const auto before = follows ? contents(launch) : std::vector<std::vector<char>>();
        runRecorded(running, recorder, launch, index, thread, true);
        if (follows && recorder.meetsOtherBlocks()) {
            restore(launch, before);
            runBefore(running, launch, index, thread);
            runRecorded(running, recorder, launch, index, thread, false);
        }
        probe.keep(recorder);
        if (probe.look(launch, index, recorder.logs(), FlowGraph(recorder.edges()))) break;
    }
    recorder.keepEvents(false);
}

TraceContext::TraceContext() : m_recording(std::make_unique<Recording>()) {
    m_facts.kernels = 0;
    m_recording->arena.initialize();
    m_recording->workers.resize(static_cast<std::size_t>(m_recording->arena.max_concurrency()));
}

TraceContext::~TraceContext() = default;

void TraceContext::run(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes, simt::Thunk thread) {
    if (m_facts.kernels++ == 0) {
        m_facts.grid = {grid.x, grid.y, grid.z};
        m_facts.block = {block.x, block.y, block.z};
    }
    m_facts.sharedBytes = std::max(m_facts.sharedBytes, static_cast<std::int64_t>(sharedBytes));
    if (m_recording->active) {
        simt::checkLaunch(grid, block, sharedBytes);
        record(kernel, grid, block, sharedBytes, thread);
    } else {
        m_engine.run(grid, block, sharedBytes, thread);
    }
}

void TraceContext::record(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes, simt::Thunk thread) {
    auto& r = *m_recording;
    KernelRun& run = r.runOf(kernel, grid, block, sharedBytes);
    ++run.launches;
    if (!r.policy.whole && run.tracedLaunches >= r.policy.launches) return;
    ++run.tracedLaunches;

    LaunchView launch;
    launch.kernel = kernel;
    launch.grid = grid;
    launch.block = block;
    launch.sharedBytes = sharedBytes;
    launch.arrays = &r.arrays;
    const auto* function = ProgramImage::traced().functionAt(reinterpret_cast<std::uint64_t>(kernel));
    launch.visibleArrays = r.arrays.visibleTo(function == nullptr ? std::string() : function->name);
    for (const auto& [handle, allocation] : r.allocations) launch.allocations.push_back(allocation.get());
    launch.findings = &r.findings;
    const std::uint64_t all = std::uint64_t{grid.x} * grid.y * grid.z;
    if (r.nextBlock + all + 1 > 0xffffffffULL) {
        // Numbers of blocks tell launches apart; when they run out, what they mark is forgotten.
        for (const auto& [handle, allocation] : r.allocations) allocation->clear();
        r.nextBlock = 1;
    }
    launch.firstBlock = r.nextBlock;
    r.nextBlock += static_cast<std::uint32_t>(all) + 1;

    simt::RunningBlocks running([this] { return m_stop.stop_requested(); });
    if (m_probe != nullptr) return r.look(*this, launch, running, thread);
    std::int64_t wanted = static_cast<std::int64_t>(all);
    if (!r.policy.whole) {
        auto& pilot = r.worker(0).recorder;
        pilot.beginLaunch(launch);
        const simt::RunningBlocks::Worker worker(running);
        runRecorded(running, pilot, launch, {grid.x / 2, grid.y / 2, grid.z / 2}, thread, true);
        wanted = std::min(wanted, r.policy.words / std::max<std::int64_t>(1, static_cast<std::int64_t>(pilot.words())));
    }
    const auto blocks = chooseBlocks(grid, wanted);
    // In order, as on the untraced device: a block may wait for those before it.
    std::atomic<std::size_t> next{0}, done{0};
    std::mutex telling;
    const auto work = [&](int) {
        const simt::RunningBlocks::Worker takesPart(running);
        auto& worker = r.worker(static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()));
        worker.recorder.beginLaunch(launch);
        for (auto i = next++; i < blocks.size() && !m_stop.stop_requested(); i = next++) {
            runRecorded(running, worker.recorder, launch, blocks[i], thread, false);
            count(worker.recorder, launch, worker.tallies[kindOf(blocks[i], grid)]);
            const auto finished = ++done;
            const std::lock_guard lock(telling);
            if (r.progress) r.progress(static_cast<double>(finished) / static_cast<double>(blocks.size()));
        }
    };
    r.arena.execute([&] { tbb::parallel_for(0, r.arena.max_concurrency(), work, tbb::simple_partitioner()); });
    for (auto& worker : r.workers) {
        for (int kind = 0; worker != nullptr && kind < kKinds; ++kind)
            run.tallies[kind].add(std::exchange(worker->tallies[kind], {}));
    }
    if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "trace: stopped");
}

Allocation& TraceContext::allocate(std::size_t bytes) {
    auto allocation = std::make_unique<Allocation>(bytes);
    const auto begin = allocation->begin();
    return *(m_recording->allocations[begin] = std::move(allocation));
}

void TraceContext::release(std::uint64_t handle) noexcept { m_recording->allocations.erase(handle); }

const Allocation* TraceContext::allocationAt(std::uint64_t handle) const {
    const auto found = m_recording->allocations.find(handle);
    return found == m_recording->allocations.end() ? nullptr : found->second.get();
}

std::vector<const Allocation*> TraceContext::allocations() const {
    std::vector<const Allocation*> list;
    for (const auto& [handle, allocation] : m_recording->allocations) list.push_back(allocation.get());
    return list;
}

void TraceContext::beginRun(const SamplePolicy& policy, std::function<void(double)> progress) {
    auto& r = *m_recording;
    for (const auto& [handle, allocation] : r.allocations) allocation->clear();
    r.findings.take();
    r.runs.clear();
    r.policy = policy;
    r.progress = std::move(progress);
    r.active = true;
}

std::vector<KernelRun> TraceContext::endRun() {
    m_recording->active = false;
    m_recording->progress = nullptr;
    return std::exchange(m_recording->runs, {});
}

Findings& TraceContext::findings() { return m_recording->findings; }

void TraceContext::setStop(std::stop_token stop) {
    m_stop = stop;
    m_engine.setStop(std::move(stop));
}

void TraceContext::setScheduling(const Scheduling& scheduling) { m_engine.setScheduling(scheduling); }

LaunchFacts TraceContext::takeLaunchFacts() {
    LaunchFacts none;
    none.kernels = 0;
    return std::exchange(m_facts, none);
}

}  // namespace warplens::gpu::trace
