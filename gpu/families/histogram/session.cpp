// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/counts.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/histogram/problem.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>

namespace warplens::gpu::histogram {
namespace {

class HistogramSession final : public Session {
public:
    HistogramSession(const HistogramProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device) {
        keepResident(device, problem.input(), resident);
        m_arguments.channels = problem.channelNames().size();
        m_arguments.edges = &problem.edges();
        const DeviceInfo& info = device.info();
        static_cast<Case&>(m_arguments) = problem.caseFor(info.sharedBytesPerBlock);
        m_arguments.input = resident.planes.handle();
        m_arguments.multiprocessors = info.multiprocessors;
        const Edges& edges = problem.edges();
        if (m_arguments.type == io::PixelType::f32) {
            m_thresholds = put(thresholds(edges));
            m_arguments.thresholds = m_thresholds.handle();
            m_arguments.guess = guessOf(edges);
        } else {
            const auto table = lookUpTable(edges, m_arguments.type);
            m_table = put(table);
            m_arguments.table = m_table.handle();
            m_arguments.shift = shiftOf(table);
        }
        for (Buffer& totals : m_totals)
            totals = device.allocate(m_arguments.channels * m_arguments.slotCount() * sizeof(std::uint64_t));
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_current = 0;
        keepScratch();
        if (m_entry != nullptr || m_library.launch) return;
        m_arguments.counted = m_totals;
        m_library = ladder().libraryOf(variant)->open(m_device, m_arguments);
    }

    void launch() override {
        if (m_entry == nullptr) return m_library.launch();
        if (m_entry->clearsNext)
            m_current = 1 - m_current;
        else
            m_device.fill(m_totals[m_current], 0);
        if (m_arguments.count == 0) return m_device.fill(m_totals[m_current], 0);
        m_arguments.totals = m_totals[m_current].handle();
        m_arguments.next = m_totals[1 - m_current].handle();
        for (std::size_t c = 0; c < m_arguments.channels; ++c) {
            m_arguments.inputOffset = c * m_arguments.count * io::sizeOf(m_arguments.type);
            m_arguments.totalsOffset = c * m_arguments.slotCount();
            m_entry->launch(m_device.context(), m_arguments, m_tunables);
        }
    }

    void poisonOutput() override {
        if (m_entry == nullptr) return m_library.poison();
        // A kernel that clears for the launch to come must find zeros; the others clear what they find.
        for (const Buffer& totals : m_totals) m_device.fill(totals, m_entry->clearsNext ? 0 : 0xff);
    }

    Result download(double&, double& downloadMs) override {
        auto result = std::make_shared<BinnedCounts>(m_problem.emptyResult());
        std::vector<std::int64_t> totals(m_arguments.channels * m_arguments.slotCount());
        downloadMs += m_device.time([&] {
            if (m_entry == nullptr) m_library.finish();
            m_device.download(totals.data(), m_totals[m_current], totals.size() * sizeof(std::int64_t));
        });
        const int bins = m_arguments.bins;
        for (std::size_t c = 0; c < m_arguments.channels; ++c) {
            const auto* from = totals.data() + c * m_arguments.slotCount();
            CountedChannel& channel = result->channels[c];
            channel.bins.assign(from, from + bins);
            channel.below = from[belowSlot(bins)];
            channel.above = from[aboveSlot(bins)];
            channel.nan = from[nanSlot(bins)];
        }
        return {.picture = {}, .tables = tablesOf(*result)};
    }

private:
    /// What the variant needs for itself; the largest of all is kept, since rows take turns.
    void keepScratch() {
        if (m_entry == nullptr || m_entry->scratchBytes == nullptr || m_arguments.count == 0) return;
        const std::size_t bytes = m_entry->scratchBytes(m_arguments, m_tunables);
        if (bytes > m_scratchBytes) {
            m_scratch = {};
            m_scratchBytes = 0;
            m_scratch = m_device.allocate(bytes);
            m_scratchBytes = bytes;
        }
        m_arguments.scratch = m_scratch.handle();
    }

    template <class T>
    Buffer put(const std::vector<T>& values) {
        Buffer buffer = m_device.allocate(values.size() * sizeof(T));
        m_device.upload(buffer, values.data(), values.size() * sizeof(T));
        return buffer;
    }

    const HistogramProblem& m_problem;
    Device& m_device;
    Buffer m_thresholds, m_table;
    Buffer m_totals[2];  ///< the launch counts into one; the other is cleared by it, or not used
    int m_current = 0;
    Buffer m_scratch;
    std::size_t m_scratchBytes = 0;
    LibraryCase m_arguments;
    const KernelEntry* m_entry = nullptr;  ///< null: a library
    TunableValues m_tunables;
    LibraryCalls m_library;  ///< opened once, since rows take turns
};

/// What the picture, the tables of its edges and the counts take at most.
std::int64_t deviceBytes(const HistogramProblem& problem, const DeviceInfo& info) {
    const Case posed = problem.caseFor(info.sharedBytesPerBlock);
    const auto sizeOf = [](const auto& values) { return values.size() * sizeof(values[0]); };
    const std::size_t table = posed.type == io::PixelType::f32 ? sizeOf(thresholds(problem.edges()))
                                                               : sizeOf(lookUpTable(problem.edges(), posed.type));
    const std::size_t picture = problem.input()->bytes(), channels = problem.channelNames().size();
    const std::size_t counts = 2 * channels * posed.slotCount() * sizeof(std::uint64_t);
    // Channels that lie pixel by pixel are there twice while they are sorted, before the rest is.
    const std::size_t sorting = problem.input()->shape().channels > 1 ? picture : 0;
    return static_cast<std::int64_t>(picture + std::max(sorting, table + counts));
}

}  // namespace

std::unique_ptr<Session> HistogramProblem::open(Device& device, Resident& resident) const {
    needMemory(device, resident, *m_input, deviceBytes(*this, device.info()));
    return std::make_unique<HistogramSession>(*this, device, resident);
}

}  // namespace warplens::gpu::histogram
