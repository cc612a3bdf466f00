// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/float_bound.hpp"
#include "gpu/families/scan/problem.hpp"
#include "gpu/families/scan/reference.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/kernels/layout.hpp"

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

class ScanSession final : public PictureSession<ScanProblem, LibraryCase> {
public:
    ScanSession(const ScanProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident), m_asked(m_arguments), m_steps(stepsOf(device.info())) {
        if (m_asked.task == Task::compact)
            m_counts = device.allocate(static_cast<std::size_t>(channels()) * sizeof(std::uint32_t));
        if (m_asked.windows() || m_asked.task == Task::compact)
            m_sums = device.allocate(summedValues(problem) * sizeOf(problem.sumType()));
        if (m_asked.tables()) {
            m_bins = problem.bins();
            const std::size_t all = binsOf(problem);
            m_counts = device.allocate(all * sizeof(std::uint32_t));
            m_tables = device.allocate(all * io::sizeOf(type()));
            m_bins.input = m_arguments.input;
            m_bins.counts = m_counts.handle();
            m_bins.tables = m_tables.handle();
            m_bins.output = m_output.handle();
        }
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_scratch = {};
        m_arguments.sums = firstStep();
        m_arguments.picks = picks();
        m_arguments.integral = integral();
        PictureSession::prepare(variant, tunables);
        if (m_kernel == nullptr) return;
        const std::size_t bytes = scratchBytes();
        if (bytes == 0) return;
        m_scratch = m_device.allocate(bytes);
        m_device.fill(m_scratch, 0);
    }

    void launch() override {
        if (m_kernel == nullptr) return m_library.launch();
        LaunchContext& context = m_device.context();
        if (m_asked.tables()) {
            m_steps->clearCounts(context, m_bins);
            m_kernel->count(context, m_bins, m_tunables);
            m_steps->tables(context, m_bins);
            return m_steps->lookUp(context, m_bins);
        }
        if (m_asked.task == Task::compact && m_kernel->compact != nullptr)
            return m_kernel->compact(context, picks(), m_tunables);
        if (m_asked.windows() && m_kernel->windows != nullptr) return m_kernel->windows(context, windows(), m_tunables);
        if (m_kernel->integral != nullptr) return m_kernel->integral(context, integral(), m_tunables);
        const ScanArguments first = firstStep();
        if (m_asked.task == Task::sums && m_asked.along == Along::columns && !m_kernel->strided)
            return m_steps->columns(context, first);
        m_kernel->scan(context, first, m_tunables);
        if (m_asked.task == Task::compact) return m_steps->pick(context, picks());
        if (m_asked.task == Task::sums) return;
        if (m_kernel->byLines)
            m_kernel->scan(context, downColumns(), m_tunables);
        else
            m_steps->columns(context, downColumns());
        if (m_asked.windows()) m_steps->windows(context, windows());
    }

    void poisonOutput() override {
        PictureSession::poisonOutput();
        if (m_asked.task == Task::compact) m_device.fill(m_counts, 0xff);
        if (m_problem.channels() < channels()) keepAlpha();
    }

    Result download(double& layoutMs, double& downloadMs) override {
        if (m_asked.task == Task::compact) return downloadTable(downloadMs);
        return PictureSession::download(layoutMs, downloadMs);
    }

    std::optional<DevicePicture> picture() const override {
        if (m_asked.task == Task::compact) return std::nullopt;
        return PictureSession::picture();
    }

private:
    io::PixelType type() const { return m_problem.input()->type(); }
    int channels() const { return m_problem.input()->shape().channels; }
    int multiprocessors() const { return std::max(1, m_device.info().multiprocessors); }

    /// Copies what no kernel touches; a mask's, of another type than the input's, stays 255.
    void keepAlpha() {
        const io::PixelType made = m_problem.outputType();
        if (made != type()) return;
        const auto count = static_cast<std::size_t>(m_problem.input()->shape().pixels());
        const std::size_t offset = summedValues(m_problem) * io::sizeOf(made);
        layoutEntry(m_device.info())
            .convert(m_device.context(), m_arguments.input, offset, made, m_output.handle(), offset, made, count);
    }

    std::size_t scratchBytes() const {
        const bool compact = m_asked.task == Task::compact;
        if (compact && m_kernel->compact != nullptr) return m_kernel->compactScratch(picks(), m_tunables);
        if (m_asked.windows() && m_kernel->windows != nullptr) return 0;
        if (m_kernel->integral != nullptr) return m_kernel->integralScratch(integral(), m_tunables);
        if (m_kernel->scratchBytes == nullptr) return 0;
        return std::max(m_kernel->scratchBytes(firstStep(), m_tunables),
                        m_kernel->scratchBytes(downColumns(), m_tunables));
    }

    ScanArguments firstStep() const {
        const bool marks = m_asked.task == Task::compact, sums = m_asked.task == Task::sums;
        return {.input = m_arguments.input,
                .output = m_sums ? m_sums.handle() : m_output.handle(),
                .scratch = m_scratch.handle(),
                .multiprocessors = multiprocessors(),
                .type = type(),
                .marks = marks,
                .level = floatAtMost(m_asked.level),
                .sum = m_problem.sumType(),
                .exclusive = sums && m_asked.kind == ScanOptions::Kind::exclusive,
                .lines = m_problem.linesAlong(m_problem.firstAlong())};
    }
    /// The second half of an integral picture, in its place.
    ScanArguments downColumns() const {
        ScanArguments step = firstStep();
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
                .input = m_arguments.input,
                .output = m_output.handle(),
                .scratch = m_scratch.handle()};
    }
    Windows windows() const {
        Windows w = m_problem.windows();
        w.input = m_arguments.input;
        w.sums = m_sums.handle();
        w.output = m_output.handle();
        return w;
    }
    CompactionArguments picks() const {
        return {.type = type(),
                .level = floatAtMost(m_asked.level),
                .count = static_cast<std::uint64_t>(m_problem.input()->shape().pixels()),
                .channels = channels(),
                .multiprocessors = multiprocessors(),
                .input = m_arguments.input,
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

    const ScanOptions& m_asked;
    const StepsEntry* m_steps;
    Buffer m_sums, m_counts, m_tables, m_scratch;
    Bins m_bins;
};

/// The picture, its result and what lies between, whatever the row; a row's own scratch comes on top.
std::int64_t deviceBytes(const ScanProblem& problem) {
    const ScanOptions& asked = problem.posed();
    const auto values = static_cast<std::size_t>(problem.input()->shape().values());
    const auto channels = static_cast<std::size_t>(problem.input()->shape().channels);
    const auto input = problem.input()->bytes();
    std::size_t output = values * io::sizeOf(problem.outputType()), between = 0;
    if (asked.task == Task::compact) output = (values + channels) * sizeof(std::uint32_t);
    if (asked.windows() || asked.task == Task::compact) between = summedValues(problem) * sizeOf(problem.sumType());
    if (asked.tables()) between = binsOf(problem) * (sizeof(std::uint32_t) + io::sizeOf(problem.input()->type()));
    // Channels that lie pixel by pixel are there once more while they are sorted, before and after.
    const std::size_t rest = output + between, sorted = asked.task == Task::compact ? 0 : output;
    return static_cast<std::int64_t>(input + (channels > 1 ? std::max(input, rest + sorted) : rest));
}

}  // namespace

std::unique_ptr<Session> ScanProblem::open(Device& device, Resident& resident) const {
    needMemory(device, resident, *m_input, deviceBytes(*this));
    keepResident(device, m_input, resident);
    return std::make_unique<ScanSession>(*this, device, resident);
}

}  // namespace warplens::gpu::scan
