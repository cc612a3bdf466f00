// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe/draft.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/partitionable.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/render/host_painter.hpp"
#include "gpu/render/pyramid.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace warplens::gpu::recipe {
namespace {

using GridPointer = std::shared_ptr<const io::Grid>;

constexpr const char* kCpu = "cpu";
/// Rows that are looked into before the others, for what the steps make of them.
constexpr std::int64_t kProbeRows = 16;
/// Of a strip: its pictures stay in a core's cache from step to step.
constexpr std::int64_t kStripBytes = 2 << 20;

Request requestOf(const Request& base, const Step& step) {
    Request request = base;
    request.family = step.family;
    request.parameters = step.parameters;
    request.variants = {step.variant};
    request.timing = TimingPolicy::once();
    request.verify = request.measureLimits = request.autotune = false;
    request.keepPictures = true;
    return request;
}

bool takesPreviousAlone(const Step& step) { return step.pictures.empty() && step.input.kind == Source::Kind::previous; }

/// Rows of halo; absent where a row of the result is not made of rows around it, or not in a picture of a few rows.
std::optional<std::int64_t> haloOf(const Request& request) {
    std::unique_ptr<Problem> problem;
    try {
        problem = familyOf(request.family).pose(request.input, request.parameters);
    } catch (const Error&) {
        return std::nullopt;
    }
    const Partitionable* pieces = problem->inPieces();
    if (pieces == nullptr || pieces->cutAxis() != 1 || !pieces->inPlace() || pieces->wraps() ||
        pieces->foundOverAll() || !pieces->indivisibleReason().empty())
        return std::nullopt;
    return pieces->halo();
}

/// Rows of the picture that are seen, those of a reduced row together.
std::pair<std::int64_t, std::int64_t> rowsSeen(const render::Display& display, std::int64_t height) {
    const auto [first, last] = std::ranges::minmax(display.down.first);
    const auto [other, end] = std::ranges::minmax(display.down.second);
    const std::int64_t begin = std::min(first, other), behind = std::int64_t{std::max(last, end)} + 1;
    return {begin << display.level, std::min(behind << display.level, height)};
}

Comparison runOne(Runner& runner, const Request& request, const std::stop_token& stop) {
    Comparison comparison = runner.run(request, stop);
    if (comparison.interrupted || comparison.runs.empty()) throw Error(Error::Kind::cancelled, "stopped");
    return comparison;
}

}  // namespace

/// One drawing. The steps were looked into on a few rows, which tells their halos, variants and types.
class Drafter::Drawing {
public:
    Drawing(const Recipe& recipe, const Request& base, const render::Display& display, std::stop_token stop)
        : m_input(*base.input), m_display(display), m_stop(std::move(stop)) {
        for (const std::size_t i : stepsOn(recipe)) {
            const Step& step = recipe.steps[i];
            m_divisible = m_divisible && takesPreviousAlone(step);
            m_steps.push_back(requestOf(base, step));
        }
        const io::Shape& shape = m_input.shape();
        m_divisible = m_divisible && !m_steps.empty() && shape.depth == 1 && shape.height > kProbeRows &&
                      display.width == shape.width && display.height == shape.height && display.down.size() > 0 &&
                      display.across.size() > 0;
    }

    /// False: nothing can be drawn; `first` is then a step's that did not run, or the first one's.
    bool probe(Runner& runner, RunRecord& first) {
        if (!m_divisible) return false;
        GridPointer rows = linesOf(m_input, 1, 0, kProbeRows, false);
        for (Request& step : m_steps) {
            step.input = rows;
            const auto halo = haloOf(step);
            if (!halo) return false;
            m_halo += *halo;
            Comparison comparison = runOne(runner, step, m_stop);
            RunRecord& record = comparison.runs.front();
            const bool ran = record.status == Status::ok;
            const GridPointer made = std::exchange(record.result, {}).picture;
            if (&step == &m_steps.front() || !ran) {
                first = record;
                first.time.reset();
            }
            if (!ran || made == nullptr || made->shape().width != rows->shape().width ||
                made->shape().height != kProbeRows)
                return false;
            // Strips are one variant's, whatever it is that they hold.
            step.variants = {record.id()};
            step.tunables = record.choice ? record.choice->tunables : step.tunables;
            m_kernels = m_kernels || record.kind != Variant::Kind::library;
            m_emulated = m_kernels && !comparison.device.ranks();
            rows = made;
        }
        const auto [begin, end] = rowsSeen(m_display, m_input.shape().height);
        m_begin = begin;
        m_end = end;
        if (m_emulated && 2 * (end - begin + 2 * m_halo) > m_input.shape().height) return false;
        makeSeen(*rows);
        return true;
    }

    /// Takes what was taken before. False: that was of other steps.
    bool take(const std::vector<std::pair<std::string, std::string>>& known) {
        const auto same = [](const Request& step, const auto& before) {
            return step.family == before.first && step.variants.front() == kAuto && step.hostLibraries;
        };
        if (!std::ranges::equal(m_steps, known, same)) return false;
        for (std::size_t i = 0; i < known.size(); ++i) m_steps[i].variants = {known[i].second};
        return true;
    }
    std::vector<std::pair<std::string, std::string>> taken() const {
        std::vector<std::pair<std::string, std::string>> all;
        for (const Request& step : m_steps) all.emplace_back(step.family, step.variants.front());
        return all;
    }

    /// Whether kernels run: what is constant to them is one device's, for one at a time.
    bool kernels() const { return m_kernels; }
    /// Pieces of work, for so many threads.
    void cut(std::size_t threads, bool whole) {
        const std::int64_t reduced = std::int64_t{1} << m_display.level, rows = m_end - m_begin;
        const auto row = static_cast<std::int64_t>(m_input.bytes()) / m_input.shape().height;
        const std::int64_t fair = (rows + static_cast<std::int64_t>(threads) - 1) / static_cast<std::int64_t>(threads);
        const std::int64_t wanted = whole ? rows : std::min(fair, std::max(kStripBytes / row, 4 * m_halo));
        m_strip = std::max<std::int64_t>(1, (wanted + reduced - 1) / reduced) * reduced;
    }
    std::size_t strips() const { return static_cast<std::size_t>((m_end - m_begin + m_strip - 1) / m_strip); }

    /// Runs the next strips until there are none. False: a step did not run on one.
    bool work(Runner& runner) {
        for (std::size_t strip = m_next++; strip < strips(); strip = m_next++)
            if (!one(runner, m_begin + static_cast<std::int64_t>(strip) * m_strip)) return false;
        return true;
    }

    render::Seen painted() const {
        render::Display shifted = m_display;
        for (auto* rows : {&shifted.down.first, &shifted.down.second})
            for (std::int32_t& row : *rows) row -= static_cast<std::int32_t>(m_begin >> m_display.level);
        const auto width = static_cast<std::size_t>(m_display.across.size());
        const std::shared_ptr<std::uint32_t[]> pixels(
            new std::uint32_t[width * static_cast<std::size_t>(m_display.down.size())]);
        render::paintOnHost(*m_seen, 0, shifted, pixels.get(), width);
        return {.width = m_display.across.size(), .height = m_display.down.size(), .pixels = {pixels, pixels.get()}};
    }

private:
    /// Room for all rows that are seen, at the display's resolution, of the type that the last step makes.
    void makeSeen(const io::Grid& made) {
        io::Shape shape = made.shape();
        shape.height = m_end - m_begin;
        for (int k = 0; k < m_display.level; ++k) {
            shape.width = (shape.width + 1) / 2;
            shape.height = (shape.height + 1) / 2;
        }
        m_seen.emplace(shape, made.type());
    }

    bool one(Runner& runner, std::int64_t begin) {
        const std::int64_t height = m_input.shape().height, end = std::min(begin + m_strip, m_end);
        const std::int64_t from = std::max<std::int64_t>(0, begin - m_halo), to = std::min(height, end + m_halo);
        GridPointer rows = linesOf(m_input, 1, from, to - from, false);
        for (Request step : m_steps) {
            step.input = std::exchange(rows, nullptr);
            const Comparison comparison = runOne(runner, step, m_stop);
            if (comparison.runs.front().status != Status::ok) return false;
            rows = comparison.runs.front().result.picture;
        }
        const std::int64_t at = (begin - m_begin) >> m_display.level, first = begin - from;
        std::byte* const seen = m_seen->data() + m_seen->index(0, at, 0) * io::sizeOf(m_seen->type());
        if (m_display.level == 0) {
            const std::size_t row = rows->bytes() / static_cast<std::size_t>(to - from);
            std::memcpy(seen, rows->data() + static_cast<std::size_t>(first) * row,
                        static_cast<std::size_t>(end - begin) * row);
            return true;
        }
        io::Grid reduced = render::halved(*rows, 0, first, end - begin);
        for (int k = 1; k < m_display.level; ++k) reduced = render::halved(reduced, 0);
        std::memcpy(seen, reduced.data(), reduced.bytes());
        return true;
    }

    const io::Grid& m_input;
    const render::Display& m_display;
    std::stop_token m_stop;
    std::vector<Request> m_steps;
    bool m_divisible = true, m_kernels = false, m_emulated = false;
    std::int64_t m_halo = 0, m_begin = 0, m_end = 0, m_strip = 1;
    std::optional<io::Grid> m_seen;
    std::atomic<std::size_t> m_next = 0;
};

Runner& Drafter::beside(std::size_t worker) {
    while (m_beside.size() <= worker) m_beside.push_back(m_runner.beside());
    return *m_beside[worker];
}

Preview Drafter::draw(const Recipe& steps, const Request& base, const std::shared_ptr<const render::Display>& display,
                      const std::stop_token& stop) {
    return base.device == kCpu ? drawInStrips(steps, base, *display, stop) : drawOnDevice(steps, base, display, stop);
}

Preview Drafter::drawOnDevice(const Recipe& steps, const Request& base,
                              const std::shared_ptr<const render::Display>& display, const std::stop_token& stop) {
    std::vector<Request> behind;
    for (const std::size_t i : stepsOn(steps)) {
        if (i > 0 && !takesPreviousAlone(steps.steps[i])) return {};
        behind.push_back(requestOf(base, steps.steps[i]));
        behind.back().input.reset();
    }
    behind.erase(behind.begin());
    return m_runner.preview(base, display, stop, behind);
}

Preview Drafter::drawInStrips(const Recipe& steps, const Request& base, const render::Display& display,
                              const std::stop_token& stop) {
    Preview preview;
    auto drawing = std::make_unique<Drawing>(steps, base, display, stop);
    // Libraries run beside whatever the runner is at; kernels wait for their turn there.
    const bool before = m_known.device == base.device && m_known.memoryCap == base.memoryCap;
    const bool known = before && drawing->take(m_known.steps);
    bool ready = drawing->probe(known ? beside(0) : m_runner, preview.record);
    if (!ready && known && preview.record.status != Status::ok) {
        drawing = std::make_unique<Drawing>(steps, base, display, stop);
        ready = drawing->probe(m_runner, preview.record);
    }
    m_known = {};
    if (!ready) return preview;
    const bool alone = drawing->kernels();
    if (!alone) m_known = {base.device, base.memoryCap, drawing->taken()};
    const std::size_t most = alone ? 1 : std::max(1U, std::thread::hardware_concurrency());
    drawing->cut(most, alone);
    std::atomic<bool> ran = true;
    std::exception_ptr failure;
    std::mutex failing;
    const auto work = [&](Runner& runner) {
        try {
            if (!drawing->work(runner)) ran = false;
        } catch (...) {
            const std::lock_guard lock(failing);
            failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < std::min(most, drawing->strips()); ++i)
            threads.emplace_back([&work, &runner = beside(i)] { work(runner); });
        work(alone ? m_runner : beside(0));
    }
    if (failure) std::rethrow_exception(failure);
    if (ran) preview.seen = drawing->painted();
    return preview;
}

}  // namespace warplens::gpu::recipe
