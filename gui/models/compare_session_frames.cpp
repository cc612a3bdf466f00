// SPDX-License-Identifier: Apache-2.0
// The part of CompareSession that shows results before they are here: frames that the device draws while a slider
// moves.
#include "gpu/core/registry.hpp"
#include "gui/models/compare_session.hpp"
#include "gui/theme/format.hpp"

namespace warplens::gui {

bool CompareSession::preview() {
    if (!ready()) return false;
    m_frames.askLook();
    return m_frames.request(request({m_currentChosen ? m_current : std::string(gpu::kAuto)}, true), m_run);
}

void CompareSession::takeFrame(const LiveFrame& frame) {
    if (!m_currentChosen) followChoice(frame.preview.record);
    const gpu::Preview& preview = frame.preview;
    const double upload = preview.computed ? *preview.record.uploadMs + *preview.record.layoutMs : 0;
    m_frameTimes =
        FrameTimes{frame.run, preview.record.id(), upload + preview.seen->transferMs, preview.seen->colourMs, 0};
    if (m_previewed) return;
    m_previewed = true;
    emit resultsChanged();
}

void CompareSession::endFrames() {
    m_frames.drop();
    if (!m_previewed) return;
    m_previewed = false;
    emit framesEnded();
    emit resultsChanged();
}

void CompareSession::noteFramePainted(double ms) {
    if (m_frameTimes) m_frameTimes->paint = ms;
    emit framePainted(ms);
}

QString CompareSession::frameTimes() const {
    const auto at = m_results.find(m_current);
    if (!m_frameTimes || at == m_results.end() || at->second.stale) return {};
    const gpu::RunRecord* record = &at->second.record;
    if (at->second.run != m_frameTimes->run || m_current != m_frameTimes->variant || !record->time ||
        stateOf(*record) != ResultState::verified)
        return {};
    return tr("kernel %1 ms, transfer %2 ms, display %3 ms")
        .arg(format::milliseconds(record->time->medianMs), format::milliseconds(m_frameTimes->transfer),
             format::milliseconds(m_frameTimes->colour + m_frameTimes->paint));
}

}  // namespace warplens::gui
