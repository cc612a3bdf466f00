// SPDX-License-Identifier: Apache-2.0
#include "gui/session/live_frames.hpp"

#include "gpu/recipe/draft.hpp"

namespace warplens::gui {

LiveFrames::LiveFrames(gpu::Runner& runner, QObject* parent)
    : QObject(parent), m_runner(runner), m_drafter(std::make_unique<gpu::recipe::Drafter>(runner)) {}

LiveFrames::~LiveFrames() = default;

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
                                                 : m_drafter->draw(steps, request, *display, context.stop()),
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
