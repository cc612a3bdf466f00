// SPDX-License-Identifier: Apache-2.0
#include "gui/session/live_preview.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/recipe/draft.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/task_step.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

/// What else a refusal of a draft holds for: the steps behind the first one, of which one may need all of the picture.
void addSteps(std::vector<std::string>& key, const gpu::recipe::Recipe& steps) {
    if (!steps.steps.empty()) key.emplace_back("steps");
    for (std::size_t i = 1; i < steps.steps.size(); ++i) {
        const gpu::recipe::Step& step = steps.steps[i];
        if (!step.on) continue;
        key.push_back(step.family);
        for (const auto& [id, value] : step.parameters) key.push_back(id + '=' + gpu::format(value));
    }
}

}  // namespace

LivePreview::LivePreview(gpu::Runner& runner, RequestState& request, Results& results, Activity& activity,
                         QObject* parent)
    : QObject(parent), m_request(request), m_results(results), m_activity(activity), m_frames(runner) {
    connect(&m_frames, &LiveFrames::drawn, this, &LivePreview::take);
    connect(&m_frames, &LiveFrames::unavailable, this, &LivePreview::end);
    connect(&m_frames, &LiveFrames::failed, this, [this](const JobFailure& failure) {
        end();
        if (failure.kind != JobFailure::Kind::cancelled) m_activity.fail(failure);
    });
}

bool LivePreview::ask() {
    if (!m_request.ready()) return false;
    // Each frame of it would be compiled anew.
    if (m_request.currentChosen() && m_request.variants().kernel(m_request.current()) != nullptr) return false;
    m_frames.askLook();
    const std::string variant = m_request.currentChosen() ? m_request.current() : std::string(gpu::kAuto);
    if (const auto here = steps(variant))
        return m_frames.request(m_request.make({variant}, true), m_activity.run(), *here);
    m_frames.drop();
    return false;
}

std::optional<gpu::recipe::Recipe> LivePreview::steps(const std::string& variant) const {
    const auto& place = m_request.document().state().place;
    if (!m_request.filtering() || place == nullptr || !isItsStep(m_request, *place)) return gpu::recipe::Recipe();
    const auto& all = place->recipe.steps;
    gpu::recipe::Recipe here{{all.begin() + static_cast<std::ptrdiff_t>(place->at), all.end()}};
    if (!here.steps.front().on) return std::nullopt;
    // A GPU draws the step's own result where it lies.
    const bool last = std::none_of(here.steps.begin() + 1, here.steps.end(), [](const auto& step) { return step.on; });
    if (last && m_request.devices().ranking()) return gpu::recipe::Recipe();
    here.steps.front() = stepOf(m_request);
    here.steps.front().variant = variant;
    return here;
}

void LivePreview::take(const LiveFrame& frame) {
    const gpu::Preview& preview = frame.preview;
    if (!m_request.currentChosen()) m_request.followChoice(preview.record.id());
    const double upload = preview.computed ? *preview.record.uploadMs + *preview.record.layoutMs : 0;
    // Of rows that are seen alone there is no time that could stand beside the whole picture's.
    m_times.reset();
    if (preview.record.time)
        m_times = Times{frame.run, preview.record.id(), upload + preview.seen->transferMs, preview.seen->colourMs, 0};
    if (m_shown) return;
    m_shown = true;
    emit m_results.changed();
}

void LivePreview::end() {
    m_frames.drop();
    if (!m_shown) return;
    m_shown = false;
    emit ended();
    emit m_results.changed();
}

void LivePreview::notePainted(double ms) {
    if (m_times) m_times->paint = ms;
    emit painted(ms);
}

QString LivePreview::times() const {
    const std::string& current = m_request.current();
    const gpu::RunRecord* record = m_results.present(current);
    if (!m_times || record == nullptr || m_results.run(current) != m_times->run || current != m_times->variant ||
        !record->time || stateOf(*record) != ResultState::verified)
        return {};
    return tr("kernel %1 ms, transfer %2 ms, display %3 ms")
        .arg(format::milliseconds(record->time->medianMs), format::milliseconds(m_times->transfer),
             format::milliseconds(m_times->colour + m_times->paint));
}

LivePolicy::LivePolicy(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &LivePolicy::elapsed);
}

void LivePolicy::request() {
    // Not restarted by further changes: a slider in motion must not starve the picture.
    if (!m_timer.isActive() && !m_waiting) m_timer.start(kDebounceMs);
}

void LivePolicy::requestAtRest() {
    m_waiting = false;
    m_timer.start(kDebounceMs);
}

void LivePolicy::drop() {
    m_timer.stop();
    m_waiting = false;
}

void LivePolicy::elapsed() {
    m_waiting = false;
    if (m_running && m_since.elapsed() < kPatienceMs) {
        m_waiting = true;
        m_timer.start(static_cast<int>(std::max<qint64>(1, kPatienceMs - m_since.elapsed())));
        return;
    }
    emit due();
}

void LivePolicy::began() {
    m_running = true;
    m_since.start();
}

void LivePolicy::ended() {
    m_running = false;
    if (!m_waiting) return;
    m_waiting = false;
    m_timer.start(0);
}

LiveFrames::LiveFrames(gpu::Runner& runner, QObject* parent)
    : QObject(parent), m_runner(runner), m_drafter(std::make_unique<gpu::recipe::Drafter>(runner)) {}

LiveFrames::~LiveFrames() = default;

LiveFrames::Refused LiveFrames::keyOf(const gpu::Request& request, const gpu::render::Display& display) {
    return {request.input, request.family, request.device, request.variants, display.width, display.height};
}

void LiveFrames::askLook() {
    std::shared_ptr<const gpu::render::Display> display;
    for (const Look& looks : m_looks)
        if (display == nullptr) display = looks();
    look(std::move(display));
}

void LiveFrames::look(std::shared_ptr<const gpu::render::Display> display) {
    if (display != nullptr && display == m_display) return;
    m_display = std::move(display);
    if (m_display == nullptr)
        drop();
    else if (m_request)
        start();
}

bool LiveFrames::request(const gpu::Request& request, std::uint64_t run, const gpu::recipe::Recipe& steps) {
    m_steps = steps;
    Refused key = m_display != nullptr ? keyOf(request, *m_display) : Refused();
    addSteps(key.variants, steps);
    if (m_display == nullptr || m_refused == key) {
        drop();
        return false;
    }
    m_request = request;
    m_run = run;
    start();
    return true;
}

void LiveFrames::drop() {
    if (!m_request) return;
    m_request.reset();
    m_again = m_running = false;
    m_jobs.discard();
}

void LiveFrames::start() {
    // All of a draft is what is seen, so that none is begun in vain.
    m_again = m_running && (!m_steps.steps.empty() || m_since.elapsed() < kPatienceMs);
    if (m_again) return;
    m_running = true;
    m_since.start();
    m_jobs.start(
        this,
        [this, request = *m_request, steps = m_steps, display = m_display, run = m_run](const JobContext& context) {
            return LiveFrame{display,
                             steps.steps.empty() ? m_runner.preview(request, display, context.stop())
                                                 : m_drafter->draw(steps, request, display, context.stop()),
                             run};
        },
        [this](JobResult<LiveFrame> result) { take(std::move(result)); });
}

void LiveFrames::take(JobResult<LiveFrame> result) {
    m_running = false;
    if (!result) {
        if (m_again) return start();
        m_request.reset();
        emit failed(result.failure());
        return;
    }
    const LiveFrame& frame = result.value();
    if (!frame.preview.seen) {
        // Other values may suit a variant that these do not.
        if (frame.preview.record.status == gpu::Status::ok) {
            m_refused = keyOf(*m_request, *frame.display);
            addSteps(m_refused->variants, m_steps);
        }
        m_request.reset();
        m_again = false;
        emit unavailable();
        return;
    }
    emit drawn(frame);
    if (m_again && m_request) start();
}

}  // namespace warplens::gui
