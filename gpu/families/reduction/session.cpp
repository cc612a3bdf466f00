// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/problem.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::gpu::reduction {
namespace {

class ReductionSession final : public Session {
public:
    ReductionSession(const ReductionProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_channels(problem.input()->shape().channels) {
        keepResident(device, problem.input(), resident);
        static_cast<Case&>(m_arguments) = problem.posed();
        m_arguments.input = resident.planes.handle();
        if (problem.with() != nullptr) {
            keepResident(device, problem.with(), m_with);
            m_arguments.with = m_with.planes.handle();
        }
        m_arguments.multiprocessors = std::max(1, device.info().multiprocessors);
        if (projects())
            m_result = device.allocate(problem.emptyOutput()->bytes());
        else
            m_result = device.allocate(static_cast<std::size_t>(m_channels) * kCellStride);
        m_arguments.result = m_result.handle();
        m_ticket = device.allocate(sizeof(unsigned));
        m_arguments.ticket = m_ticket.handle();
        for (int c = 0; c < m_channels; ++c) m_pivots.push_back(problem.pivotOf(c));
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_device.fill(m_ticket, 0);
        m_scratch = {};
        m_library = {};
        if (m_entry == nullptr) {
            m_library = ladder().libraryOf(variant)->open(m_device, m_arguments);
        } else if (m_entry->scratchBytes != nullptr && m_arguments.count > 0) {
            m_scratch = m_device.allocate(m_entry->scratchBytes(m_arguments, tunables));
            if (m_entry->clearScratch) m_device.fill(m_scratch, 0);
            m_arguments.scratch = m_scratch.handle();
        }
    }

    void launch() override {
        if (m_arguments.count == 0) return;
        if (projects()) return m_entry->launch(m_device.context(), m_arguments, m_tunables);
        for (int c = 0; c < m_channels; ++c) {
            m_arguments.inputOffset = static_cast<std::size_t>(c) * m_arguments.count * io::sizeOf(m_arguments.type);
            m_arguments.resultOffset = static_cast<std::size_t>(c) * kCellStride;
            m_arguments.pivot = m_pivots[static_cast<std::size_t>(c)];
            if (m_entry == nullptr)
                m_library.launch();
            else
                m_entry->launch(m_device.context(), m_arguments, m_tunables);
        }
    }

    void poisonOutput() override { m_device.fill(m_result, 0xff); }

    Result download(double& layoutMs, double& downloadMs) override {
        Result result;
        if (projects()) {
            auto picture = m_problem.emptyOutput();
            if (!picture->empty()) downloadPlanes(m_device, m_result, *picture, layoutMs, downloadMs);
            result.picture = std::move(picture);
            return result;
        }
        std::vector<std::byte> cells(static_cast<std::size_t>(m_channels) * kCellStride);
        downloadMs += m_device.time([&] { m_device.download(cells.data(), m_result, cells.size()); });
        Table figures = tableOf(m_problem, cells);
        if (m_problem.isPiece())
            result.tables.push_back(std::make_shared<const CellTable>(std::move(figures), std::move(cells)));
        else
            result.tables.push_back(std::make_shared<const Table>(std::move(figures)));
        return result;
    }

private:
    bool projects() const { return m_arguments.measure == Measure::projection; }

    const ReductionProblem& m_problem;
    Device& m_device;
    int m_channels;
    Resident m_with;  ///< of a comparison
    Buffer m_result, m_scratch, m_ticket;
    std::vector<float> m_pivots;
    Arguments m_arguments;
    const KernelEntry* m_entry = nullptr;  ///< null: a library
    TunableValues m_tunables;
    LibraryCalls m_library;
};

/// What the pictures and the cells of a textbook's tree take at most.
std::int64_t deviceBytes(const ReductionProblem& problem) {
    const std::size_t picture = problem.input()->bytes();
    // Channels that lie pixel by pixel are there twice while they are sorted, before the rest is.
    const std::size_t sorting = problem.input()->shape().channels > 1 ? picture : 0;
    // Cells of blocks, as most rows have them: at least one a channel, whose own come on top.
    constexpr std::size_t kLeast = 3 * kCellStride;
    std::size_t result = problem.input()->shape().pixels() / 64 * problem.posed().cellBytes() +
                         static_cast<std::size_t>(problem.input()->shape().channels) * kLeast;
    if (problem.measure() == Measure::projection) result = problem.emptyOutput()->bytes();
    result += sizeof(unsigned);  // the ticket
    return static_cast<std::int64_t>((problem.with() != nullptr ? 2 : 1) * picture + std::max(sorting, result));
}

/// Calls f(cell) for each channel and gives back the rows that it makes; of no values, empty cells.
template <class Cell, class F>
auto rowsOf(const ReductionProblem& problem, const std::vector<std::byte>& cells, F f) {
    std::vector<decltype(f(Cell{}))> rows;
    for (int c = 0; c < problem.input()->shape().channels; ++c) {
        Cell cell;
        if (problem.posed().count > 0)
            std::memcpy(&cell, cells.data() + static_cast<std::size_t>(c) * kCellStride, sizeof cell);
        rows.push_back(f(cell));
    }
    return rows;
}

}  // namespace

Table tableOf(const ReductionProblem& problem, const std::vector<std::byte>& cells) {
    const io::Shape& shape = problem.input()->shape();
    const Case posed = problem.posed();
    const auto count = static_cast<std::int64_t>(posed.count);
    const auto plain = [&](const auto& cell) { return figuresOf(cell, count); };
    if (posed.measure == Measure::comparison) {
        if (posed.floats()) return comparisonTable(rowsOf<FloatComparison>(problem, cells, plain), shape, true);
        const double peak = posed.type == io::PixelType::u8 ? 255 : 65535;
        return comparisonTable(
            rowsOf<IntegerComparison>(problem, cells, [&](const auto& cell) { return figuresOf(cell, count, peak); }),
            shape, false);
    }
    if (posed.floats()) return statisticsTable(rowsOf<FloatStatistics>(problem, cells, plain), shape, true);
    return statisticsTable(rowsOf<IntegerStatistics>(problem, cells, plain), shape, false);
}

std::unique_ptr<Session> ReductionProblem::open(Device& device, Resident& resident) const {
    needMemory(device, resident, *input(), deviceBytes(*this));
    return std::make_unique<ReductionSession>(*this, device, resident);
}

}  // namespace warplens::gpu::reduction
