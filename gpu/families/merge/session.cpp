// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/merge/problem.hpp"
#include "gpu/families/merge/quantiles.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/host_planes.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace warplens::gpu::merge {
namespace {

/// What a pack of the last values goes beyond them.
constexpr std::size_t kBeyond = 16;

/// A sort of tiles, then passes that double the runs, from buffer to buffer.
struct Sort {
    Device& device;
    const StepsEntry& steps;
    const KernelEntry& merger;
    const TunableValues& tunables;
    std::uint64_t from, to, between, scratch;
    io::PixelType type;

    /// A launch asks whether to stop, but launches are quicker than what they start.
    static constexpr std::uint64_t kBetweenWaits = std::uint64_t{1} << 30;  ///< values

    static bool more(std::uint64_t run, const Lists& lists) { return run < lists.length; }

    /// Calls step(pass) for each pass; the last one writes to `to`.
    template <class Step>
    void passes(const Lists& lists, Step step) const {
        bool odd = false;
        for (std::uint64_t run = kSortTile; more(run, lists); run *= 2) odd = !odd;
        std::uint64_t input = odd ? between : to, output = odd ? to : between;
        for (std::uint64_t run = kSortTile; more(run, lists); run *= 2) {
            step(Pass{input, output, scratch, type, lists, run, 2 * run});
            std::swap(input, output);
        }
    }
    std::size_t scratchBytes(const Lists& lists) const {
        std::size_t bytes = 0;
        if (merger.scratchBytes == nullptr) return bytes;
        passes(lists, [&](const Pass& pass) { bytes = std::max(bytes, merger.scratchBytes(pass, tunables)); });
        return bytes;
    }
    void run(const Lists& lists) const {
        if (lists.length == 0) return;
        LaunchContext& context = device.context();
        std::uint64_t first = to;
        passes(lists, [&](const Pass& pass) {
            if (pass.run == kSortTile) first = pass.input;
        });
        steps.sortTiles(context, {from, first, 0, type, lists});
        std::uint64_t since = 0;
        passes(lists, [&](const Pass& pass) {
            merger.merge(context, pass, tunables);
            since += lists.count * lists.length;
            if (since >= kBetweenWaits) device.synchronize(), since = 0;
        });
    }
};

class MergeSession final : public Session {
public:
    MergeSession(const MergeProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_steps(*stepsOf(device.info())) {
        keepResident(device, problem.input(), resident);
        m_input = resident.planes.handle();
        for (Buffer* buffer : {&m_output, &m_runs}) {
            *buffer = device.allocate(problem.input()->bytes() + kBeyond);
            device.fill(*buffer, 0);
        }
        if (problem.task() == Task::quantiles)
            m_picked = device.allocate(Picks::kWords * problem.channels().count * sizeof(std::uint64_t));
        if (problem.task() == Task::merge) problem.listsGiven() ? takeLists() : sortLists();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_scratch = {};
        m_library = {};  // its scratch goes before the next is asked for
        if (m_entry == nullptr) {
            m_library = ladder().libraryOf(variant)->open(m_device, pass());
            return;
        }
        if (m_entry->sort != nullptr) {
            allocateScratch(variant, m_entry->sortScratch(sorting()));
            m_device.fill(m_scratch, 0);
            return;
        }
        if (m_entry->scratchBytes == nullptr) return;
        const std::size_t bytes = m_problem.task() == Task::merge ? m_entry->scratchBytes(pass(), tunables)
                                                                  : sort().scratchBytes(m_problem.channels());
        allocateScratch(variant, bytes);
    }

    void launch() override {
        LaunchContext& context = m_device.context();
        if (m_entry == nullptr)
            m_library.launch();
        else if (m_entry->sort != nullptr)
            return launchSort();
        else if (m_problem.task() == Task::merge)
            m_entry->merge(context, pass(), m_tunables);
        else
            sort().run(m_problem.channels());
        if (m_problem.task() == Task::quantiles) m_steps.pick(context, picks());
    }

    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        if (m_picked) m_device.fill(m_picked, 0xff);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        if (m_picked) {
            std::vector<std::uint64_t> picked(m_picked.bytes() / sizeof(std::uint64_t));
            downloadMs += m_device.time([&] { m_device.download(picked.data(), m_picked, m_picked.bytes()); });
            return {.picture = {}, .tables = {quantilesOf(picked, type())}};
        }
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return m_problem.resultOf(std::move(output));
    }

    std::optional<DevicePicture> picture() const override {
        if (m_picked) return std::nullopt;
        return DevicePicture{&m_output, m_problem.outputShape(), type()};
    }

private:
    io::PixelType type() const { return m_problem.input()->type(); }

    void allocateScratch(const Variant& variant, std::size_t bytes) {
        bytes = std::max<std::size_t>(bytes, 1);
        withMemory(m_device, variant.id, static_cast<std::int64_t>(bytes),
                   [&] { m_scratch = m_device.allocate(bytes); });
    }
    /// Of a merge its only one; of a library's sort where it reads and writes.
    Pass pass() const {
        const bool merges = m_problem.task() == Task::merge;
        const Lists all = m_problem.channels();
        return {merges ? m_runs.handle() : m_input, m_output.handle(), m_scratch.handle(), type(), all,
                m_problem.firstLists().length,      all.length};
    }
    Sorting sorting() const {
        return {m_input, m_output.handle(), m_runs.handle(), m_scratch.handle(), type(), m_problem.channels()};
    }
    Picks picks() const { return {m_output.handle(), m_picked.handle(), type(), m_problem.channels()}; }
    void launchSort() {
        LaunchContext& context = m_device.context();
        const bool picked = m_picked && m_entry->picks(context, sorting(), picks());
        if (picked) return;
        m_entry->sort(context, sorting(), m_tunables);
        if (m_picked) m_steps.pick(context, picks());
    }
    Sort sort() const {
        return {m_device,          m_steps,         *m_entry,           m_tunables, m_input,
                m_output.handle(), m_runs.handle(), m_scratch.handle(), type()};
    }
    /// By the last rung, whichever merges them afterwards.
    void sortLists() {
        const Variant& variant = *std::ranges::find(ladder().variants(), "vectorised", &Variant::id);
        const TunableValues tunables = resolve(variant, {{"elements_per_thread", kSortItems}});
        Sort sort{m_device,          m_steps, *ladder().entryOf(variant, m_device.info()),
                  tunables,          m_input, m_runs.handle(),
                  m_output.handle(), 0,       type()};
        const Lists both[] = {m_problem.firstLists(), m_problem.secondLists()};
        const std::size_t bytes = std::max(sort.scratchBytes(both[0]), sort.scratchBytes(both[1]));
        const Buffer scratch = m_device.allocate(std::max<std::size_t>(bytes, 1));
        sort.scratch = scratch.handle();
        for (const Lists& lists : both) sort.run(lists);
        m_device.synchronize();
    }
    /// As they were given.
    void takeLists() {
        const std::vector<std::byte> planes = planesOf(*m_problem.input());
        m_device.upload(m_runs, planes.data(), planes.size());
        m_device.synchronize();
    }

    const MergeProblem& m_problem;
    Device& m_device;
    const StepsEntry& m_steps;
    std::uint64_t m_input = 0;
    Buffer m_output, m_runs;  ///< a merge's sorted lists, or what a sort has between its passes
    Buffer m_picked, m_scratch;
    const KernelEntry* m_entry = nullptr;  ///< null: a library
    TunableValues m_tunables;
    LibraryCalls m_library;
};

}  // namespace

std::unique_ptr<Session> MergeProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while a result is put together of them.
    const auto bytes = static_cast<std::int64_t>(input()->bytes());
    const bool twice = input()->shape().channels > 1 && task() != Task::quantiles;
    needMemory(device, resident, *input(), (twice ? 4 : 3) * bytes + bytes / 16);
    return std::make_unique<MergeSession>(*this, device, resident);
}

}  // namespace warplens::gpu::merge
