// SPDX-License-Identifier: Apache-2.0
#include "gui/session/live_preview.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/task_step.hpp"

#include <algorithm>

namespace warplens::gui {

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
    if (m_request.devices().ranking()) {
        // A GPU draws the step's own result where it lies.
        const bool last =
            std::none_of(here.steps.begin() + 1, here.steps.end(), [](const auto& step) { return step.on; });
        return last ? std::optional(gpu::recipe::Recipe()) : std::nullopt;
    }
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

}  // namespace warplens::gui
