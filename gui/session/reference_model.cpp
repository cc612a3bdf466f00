// SPDX-License-Identifier: Apache-2.0
#include "gui/session/reference_model.hpp"

#include "gpu/run/reference.hpp"

namespace warplens::gui {

ReferenceModel::ReferenceModel(RequestState& request, Results& results, RunControl& control, QObject* parent)
    : QObject(parent), m_request(request), m_results(results), m_control(control) {
    connect(&results, &Results::changed, this, &ReferenceModel::follow);
    connect(&request, &RequestState::taskChanged, this, &ReferenceModel::follow);
    connect(&control, &RunControl::compared, this, &ReferenceModel::follow);
}

void ReferenceModel::setWanted(const QObject* by, bool wanted) {
    const bool was = !m_wantedBy.empty();
    if (wanted)
        m_wantedBy.insert(by);
    else
        m_wantedBy.erase(by);
    if (was == m_wantedBy.empty()) follow();
}

void ReferenceModel::follow() {
    // While variants are timed the machine is theirs.
    const bool wanted = !m_wantedBy.empty();
    if (wanted && m_control.comparing()) return;
    const gpu::RunRecord* record = wanted ? m_results.present(m_request.current()) : nullptr;
    const auto picture = record == nullptr ? nullptr : record->result.picture;
    if (picture == nullptr || !record->verification) {
        if (!m_found.key()) return;
        m_found.forget();
        return emit changed();
    }
    const bool news =
        m_found.ask(picture, [&runner = m_control.runner(), record = *record,
                              request = m_request.make({m_request.current()}, true)](const JobContext& context) {
            auto exact = std::make_shared<const gpu::DoubleReference>(
                gpu::doubleReference(runner, request, record, context.stop()));
            return Found{exact, std::make_shared<const io::Grid>(exact->picture()), exact->knownShare()};
        });
    if (news) emit changed();
}

}  // namespace warplens::gui
