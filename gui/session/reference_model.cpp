// SPDX-License-Identifier: Apache-2.0
#include "gui/session/reference_model.hpp"

#include "gpu/run/reference.hpp"

namespace warplens::gui {

ReferenceModel::ReferenceModel(RequestState& request, Results& results, RunControl& control, QObject* parent)
    : QObject(parent), m_request(request), m_results(results), m_control(control) {
    connect(&results, &Results::changed, this, &ReferenceModel::follow);
    connect(&request, &RequestState::currentChanged, this, &ReferenceModel::follow);
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

void ReferenceModel::forget() {
    m_jobs.discard();
    m_of.reset();
    m_exact.reset();
    m_picture.reset();
    m_problem.clear();
}

void ReferenceModel::follow() {
    // While variants are timed the machine is theirs.
    const bool wanted = !m_wantedBy.empty();
    if (wanted && m_control.comparing()) return;
    const gpu::RunRecord* record = wanted ? m_results.present(m_request.current()) : nullptr;
    const auto picture = record == nullptr ? nullptr : record->result.picture;
    if (picture == m_of) return;
    forget();
    if (picture == nullptr || !record->verification) return emit changed();
    m_of = picture;
    struct Found {
        std::shared_ptr<const gpu::DoubleReference> exact;
        std::shared_ptr<const io::Grid> picture;
        double share;
    };
    m_jobs.start(
        this,
        [&runner = m_control.runner(), request = m_request.make({m_request.current()}, true),
         record = *record](const JobContext& context) {
            auto exact = std::make_shared<const gpu::DoubleReference>(
                gpu::doubleReference(runner, request, record, context.stop()));
            return Found{exact, std::make_shared<const io::Grid>(exact->picture()), exact->knownShare()};
        },
        [this](JobResult<Found> result) {
            if (result) {
                m_exact = result.value().exact;
                m_picture = result.value().picture;
                m_share = result.value().share;
            } else if (!result.cancelled()) {
                m_problem = result.failure().message;
            }
            emit changed();
        });
    emit changed();
}

}  // namespace warplens::gui
