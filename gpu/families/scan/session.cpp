// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/float_bound.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/scan/cub.hpp"
#include "gpu/families/scan/npp.hpp"
#include "gpu/families/scan/problem.hpp"
#include "gpu/families/scan/reference.hpp"
#include "gpu/families/scan/table.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/layout.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace warplens::gpu::scan {
namespace {

std::size_t summedValues(const ScanProblem& problem) {
    return static_cast<std::size_t>(problem.input()->shape().pixels()) * static_cast<std::size_t>(problem.channels());
}

std::size_t binsOf(const ScanProblem& problem) {
    const Bins bins = problem.bins();
    return static_cast<std::size_t>(bins.tiles()) * static_cast<std::size_t>(bins.bins);
}

class ScanSession final : public Session {
public:
    ScanSession(const ScanProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_asked(problem.asked()), m_steps(stepsOf(device.info())) {
        keepResident(device, problem.input(), resident);
        m_input = resident.planes.handle();
        const auto values = static_cast<std::size_t>(problem.input()->shape().values());
        if (m_asked.task == Task::compact) {
            m_output = device.allocate(values * sizeof(std::uint32_t));
            m_counts = device.allocate(static_cast<std::size_t>(channels()) * sizeof(std::uint32_t));
        } else {
            m_output = device.allocate(values * io::sizeOf(outputTypeOf(m_asked, type())));
        }
        if (m_asked.windows() || m_asked.task == Task::compact)
            m_sums = device.allocate(summedValues(problem) * sizeOf(problem.sumType()));
        if (m_asked.tables()) {
            m_bins = problem.bins();
            const std::size_t all = binsOf(problem);
            m_counts = device.allocate(all * sizeof(std::uint32_t));
            m_tables = device.allocate(all * io::sizeOf(type()));
            m_bins.input = m_input;
            m_bins.counts = m_counts.handle();
            m_bins.tables = m_tables.handle();
            m_bins.output = m_output.handle();
        }
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_scratch = {};
        m_cub.reset();
        m_npp.reset();
        if (variant.id == "npp") {
            m_npp = library::nppIntegral(m_device, integral());
            return;
        }
        if (m_entry == nullptr) {
            const Picks marked = picks();
            m_cub = std::make_unique<library::CubScan>(m_device, firstStep(),
                                                       m_asked.task == Task::compact ? &marked : nullptr);
            return;
        }
        const std::size_t bytes = scratchBytes();
        if (bytes == 0) return;
        m_scratch = m_device.allocate(bytes);
        m_device.fill(m_scratch, 0);
    }

    void launch() override {
        if (m_npp) return m_npp->sums.launch();
        if (m_entry == nullptr) return m_cub->launch();
        LaunchContext& context = m_device.context();
        if (m_asked.tables()) {
            m_steps->clearCounts(context, m_bins);
            m_entry->count(context, m_bins, m_tunables);
            m_steps->tables(context, m_bins);
            return m_steps->lookUp(context, m_bins);
        }
        if (m_asked.task == Task::compact && m_entry->compact != nullptr)
            return m_entry->compact(context, picks(), m_tunables);
        if (m_asked.windows() && m_entry->windows != nullptr) return m_entry->windows(context, windows(), m_tunables);
        if (m_entry->integral != nullptr) return m_entry->integral(context, integral(), m_tunables);
        const Step first = firstStep();
        if (m_asked.task == Task::sums && m_asked.along == Along::columns && !m_entry->strided)
            return m_steps->columns(context, first);
        m_entry->scan(context, first, m_tunables);
        if (m_asked.task == Task::compact) return m_steps->pick(context, picks());
        if (m_asked.task == Task::sums) return;
        if (m_entry->byLines)
            m_entry->scan(context, downColumns(), m_tunables);
        else
            m_steps->columns(context, downColumns());
        if (m_asked.windows()) m_steps->windows(context, windows());
    }

    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        if (m_npp) m_npp->sums.poison();
        if (m_asked.task == Task::compact) m_device.fill(m_counts, 0xff);
        if (m_problem.channels() < channels()) keepAlpha();
    }

    Result download(double& layoutMs, double& downloadMs) override {
        if (m_asked.task == Task::compact) return downloadTable(downloadMs);
        if (m_npp) m_npp->cut.launch();
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output), .tables = {}};
    }

    std::optional<DevicePicture> picture() const override {
        if (m_asked.task == Task::compact || m_npp) return std::nullopt;
        return DevicePicture{&m_output, m_problem.input()->shape(), outputTypeOf(m_asked, type())};
    }

private:
    io::PixelType type() const { return m_problem.input()->type(); }
    int channels() const { return m_problem.input()->shape().channels; }
    int multiprocessors() const { return std::max(1, m_device.info().multiprocessors); }

    /// Copies what no kernel touches; a mask's, of another type than the input's, stays 255.
    void keepAlpha() {
        const io::PixelType made = outputTypeOf(m_asked, type());
        if (made != type()) return;
        const auto count = static_cast<std::size_t>(m_problem.input()->shape().pixels());
        const std::size_t offset = summedValues(m_problem) * io::sizeOf(made);
        layoutEntry(m_device.info())
            .convert(m_device.context(), m_input, offset, made, m_output.handle(), offset, made, count);
    }

    std::size_t scratchBytes() const {
        const bool compact = m_asked.task == Task::compact;
        if (compact && m_entry->compact != nullptr) return m_entry->compactScratch(picks(), m_tunables);
        if (m_asked.windows() && m_entry->windows != nullptr) return 0;
        if (m_entry->integral != nullptr) return m_entry->integralScratch(integral(), m_tunables);
        if (m_entry->scratchBytes == nullptr) return 0;
        return std::max(m_entry->scratchBytes(firstStep(), m_tunables),
                        m_entry->scratchBytes(downColumns(), m_tunables));
    }

    Step firstStep() const {
        const bool marks = m_asked.task == Task::compact, sums = m_asked.task == Task::sums;
        return {.input = m_input,
                .output = m_sums ? m_sums.handle() : m_output.handle(),
                .scratch = m_scratch.handle(),
                .multiprocessors = multiprocessors(),
                .type = type(),
                .marks = marks,
                .level = floatAtMost(m_asked.level),
                .sum = m_problem.sumType(),
                .exclusive = sums && m_asked.exclusive,
                .lines = m_problem.linesAlong(m_problem.firstAlong())};
    }
    /// The second half of an integral picture, in its place.
    Step downColumns() const {
        Step step = firstStep();
        step.input = step.output;
        step.ownSums = true;
        step.lines = m_problem.linesAlong(Along::columns);
        return step;
    }
    Integral integral() const {
        const io::Shape& s = m_problem.input()->shape();
        return {.type = type(),
                .width = static_cast<int>(s.width),
                .height = static_cast<int>(s.height),
                .slices = m_problem.slices(),
                .input = m_input,
                .output = m_output.handle(),
                .scratch = m_scratch.handle()};
    }
    Windows windows() const {
        Windows w = m_problem.windows();
        w.input = m_input;
        w.sums = m_sums.handle();
        w.output = m_output.handle();
        return w;
    }
    Picks picks() const {
        return {.type = type(),
                .level = floatAtMost(m_asked.level),
                .count = static_cast<std::uint64_t>(m_problem.input()->shape().pixels()),
                .channels = channels(),
                .multiprocessors = multiprocessors(),
                .input = m_input,
                .places = m_sums.handle(),
                .scratch = m_scratch.handle(),
                .kept = m_output.handle(),
                .counts = m_counts.handle()};
    }

    Result downloadTable(double& downloadMs) {
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(channels()));
        const auto pixels = static_cast<std::size_t>(m_problem.input()->shape().pixels());
        std::vector<std::uint32_t> all(pixels * counts.size());
        downloadMs += m_device.time([&] {
            m_device.download(counts.data(), m_counts, counts.size() * sizeof(std::uint32_t));
            m_device.download(all.data(), m_output, all.size() * sizeof(std::uint32_t));
        });
        Kept kept;
        for (std::size_t c = 0; c < counts.size(); ++c) {
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(c * pixels);
            kept.emplace_back(first, first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(counts[c], pixels)));
        }
        return {.picture = {}, .tables = {std::make_shared<const Table>(keptTable(*m_problem.input(), kept))}};
    }

    const ScanProblem& m_problem;
    Device& m_device;
    const Asked m_asked;
    const StepsEntry* m_steps;
    std::uint64_t m_input = 0;
    Buffer m_output, m_sums, m_counts, m_tables, m_scratch;
    Bins m_bins;
    const KernelEntry* m_entry = nullptr;  ///< null: a library
    TunableValues m_tunables;
    std::unique_ptr<library::CubScan> m_cub;
    std::optional<library::NppIntegral> m_npp;
};

/// The picture, its result and what lies between, whatever the row; a row's own scratch comes on top.
std::int64_t deviceBytes(const ScanProblem& problem) {
    const Asked& asked = problem.asked();
    const auto values = static_cast<std::size_t>(problem.input()->shape().values());
    const auto channels = static_cast<std::size_t>(problem.input()->shape().channels);
    const auto input = problem.input()->bytes();
    std::size_t output = values * io::sizeOf(outputTypeOf(asked, problem.input()->type())), between = 0;
    if (asked.task == Task::compact) output = (values + channels) * sizeof(std::uint32_t);
    if (asked.windows() || asked.task == Task::compact) between = summedValues(problem) * sizeOf(problem.sumType());
    if (asked.tables()) between = binsOf(problem) * (sizeof(std::uint32_t) + io::sizeOf(problem.input()->type()));
    // Channels that lie pixel by pixel are there once more while they are sorted, before and after.
    const std::size_t rest = output + between, sorted = asked.task == Task::compact ? 0 : output;
    return static_cast<std::int64_t>(input + (channels > 1 ? std::max(input, rest + sorted) : rest));
}

}  // namespace

std::unique_ptr<Session> ScanProblem::open(Device& device, Resident& resident) const {
    needMemory(device, resident, *input(), deviceBytes(*this));
    return std::make_unique<ScanSession>(*this, device, resident);
}

}  // namespace warplens::gpu::scan
