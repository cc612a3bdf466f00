// SPDX-License-Identifier: Apache-2.0
#include "gui/session/image_rotator.hpp"

#include "gpu/run/service.hpp"
#include "gui/session/run_control.hpp"

#include <utility>

namespace warplens::gui {

ImageRotator::ImageRotator(RunControl& control, RequestState& request, Activity& activity, QObject* parent)
    : QObject(parent), m_control(control), m_request(request), m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        if (before.samePicture(now)) return;
        m_jobs.discard();
        m_wanted = {};
    });
}

void ImageRotator::take(gpu::Service step) {
    if (m_request.document().empty() || m_request.devices().chosen() == nullptr) return;
    m_wanted = m_wanted.then(step);
    m_jobs.discard();
    if (m_wanted == Orientation()) return;
    if (m_request.document().unturns(m_wanted)) return m_request.document().turn(m_wanted, {});
    m_control.cancelLive();  // it would be of a picture that is left
    start();
}

void ImageRotator::start() {
    m_jobs.start(
        this,
        [&runner = m_control.runner(), picture = m_request.document().grid(), steps = m_wanted.steps(),
         device = *m_request.devices().chosen()](const JobContext& context) {
            std::shared_ptr<const io::Grid> grid = picture;
            for (const gpu::Service step : steps) grid = gpu::serve(runner, step, grid, device, context.stop()).picture;
            return OpenedPicture{grid, thumbnailOf(*grid)};
        },
        [this](JobResult<OpenedPicture> result) {
            const Orientation wanted = std::exchange(m_wanted, {});
            if (!result) return m_activity.fail(result.failure());
            Document& document = m_request.document();
            document.turn(wanted, result.value());
            m_activity.note(tr("The picture is now %1").arg(document.name()));
        });
}

}  // namespace warplens::gui
