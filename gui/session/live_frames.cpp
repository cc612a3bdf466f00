// SPDX-License-Identifier: Apache-2.0
#include "gui/session/live_frames.hpp"

namespace warplens::gui {

LiveFrames::LiveFrames(gpu::Runner& runner, QObject* parent) : QObject(parent), m_runner(runner) {}

LiveFrames::Refused LiveFrames::keyOf(const gpu::Request& request, const gpu::render::Display& display) {
    return {request.input, request.family, request.device, request.variants, display.width, display.height};
}

void LiveFrames::look(std::shared_ptr<const gpu::render::Display> display) {
    if (display != nullptr && display == m_display) return;
    m_display = std::move(display);
    if (m_display == nullptr)
        drop();
    else if (m_request)
        start();
}

bool LiveFrames::request(const gpu::Request& request, std::uint64_t run) {
    if (m_display == nullptr || (m_refused && *m_refused == keyOf(request, *m_display))) {
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
    m_again = m_running && m_since.elapsed() < kPatienceMs;
    if (m_again) return;
    m_running = true;
    m_since.start();
    m_jobs.start(
        this,
        [&runner = m_runner, request = *m_request, display = m_display, run = m_run](const JobContext& context) {
            return LiveFrame{display, runner.preview(request, display, context.stop()), run};
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
        if (frame.preview.record.status == gpu::Status::ok) m_refused = keyOf(*m_request, *frame.display);
        m_request.reset();
        m_again = false;
        emit unavailable();
        return;
    }
    emit drawn(frame);
    if (m_again && m_request) start();
}

}  // namespace warplens::gui
