// SPDX-License-Identifier: Apache-2.0
#include "gui/request/launch_draft.hpp"

#include "gui/session/request_state.hpp"

namespace warplens::gui {

LaunchDraft::LaunchDraft(RequestState& request) : QObject(&request) {}

LaunchDraft& LaunchDraft::of(RequestState& request) {
    auto* draft = request.findChild<LaunchDraft*>(QString(), Qt::FindDirectChildrenOnly);
    return draft != nullptr ? *draft : *new LaunchDraft(request);
}

std::optional<gpu::Footprint> LaunchDraft::footprint(const std::string& row) const {
    return row == m_row ? m_footprint : std::nullopt;
}

void LaunchDraft::set(const std::string& row, const std::optional<gpu::Footprint>& footprint) {
    if (!footprint && !m_footprint) return;
    m_row = row;
    m_footprint = footprint;
    emit changed();
}

}  // namespace warplens::gui
