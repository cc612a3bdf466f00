// SPDX-License-Identifier: Apache-2.0
#include "gui/session/family_work.hpp"

#include "gpu/run/service.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/run_control.hpp"

#include <QElapsedTimer>
#include <utility>

namespace warplens::gui {

FamilyWork::FamilyWork(RunControl& control, RequestState& request, Activity& activity, QObject* parent)
    : QObject(parent), m_control(control), m_request(request), m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        if (before.samePicture(now)) return;
        m_jobs.discard();
        m_wanted = {};
    });
}

void FamilyWork::take(const gpu::Family& family, const gpu::ParameterValues& values, const QString& done) {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    if (device == nullptr) return;
    derive(
        [&runner = m_control.runner(), &family, values, device = *device](
            const std::shared_ptr<const io::Grid>& picture, const std::stop_token& stop) {
            const gpu::RunRecord record = gpu::serve(runner, family, values, picture, device, stop);
            const QString ms = record.time ? format::significant(record.time->medianMs) : QStringLiteral("–");
            return Made{record.result.picture,
                        tr("%1 of %2, measured %3 ms, checked")
                            .arg(QString::fromStdString(record.variant), QString::fromStdString(family.title()), ms)};
        },
        done);
}

void FamilyWork::take(std::function<io::Grid(const io::Grid& picture)> work, const QString& done) {
    derive(
        [work = std::move(work)](const std::shared_ptr<const io::Grid>& picture, const std::stop_token&) {
            QElapsedTimer clock;
            clock.start();
            const auto made = std::make_shared<const io::Grid>(work(*picture));
            return Made{made, tr("on the CPU, measured %1 ms").arg(clock.elapsed())};
        },
        done);
}

void FamilyWork::derive(Work work, const QString& done) {
    m_wanted = {};
    start(std::move(work), [this, done](const OpenedPicture& picture, const QString& by) {
        Document& document = m_request.document();
        const QString left = document.leavesRecipe();
        document.derive(QStringLiteral("%1, %2").arg(document.name(), done), picture);
        m_activity.note(tr("%1: %2").arg(done.left(1).toUpper() + done.mid(1), by) + left);
    });
}

void FamilyWork::turn(gpu::Service step) {
    Document& document = m_request.document();
    if (document.empty() || m_request.devices().chosen() == nullptr) return;
    m_wanted = m_wanted.then(step);
    m_jobs.discard();
    if (m_wanted == Orientation()) return;
    if (document.unturns(m_wanted)) return document.turn(m_wanted, {});
    start(
        [&runner = m_control.runner(), steps = m_wanted.steps(), device = *m_request.devices().chosen()](
            std::shared_ptr<const io::Grid> picture, const std::stop_token& stop) {
            for (const gpu::Service one : steps) picture = gpu::serve(runner, one, picture, device, stop).picture;
            return Made{picture, {}};
        },
        [this](const OpenedPicture& picture, const QString&) {
            m_request.document().turn(std::exchange(m_wanted, {}), picture);
            m_activity.note(tr("The picture is now %1").arg(m_request.document().name()));
        });
}

void FamilyWork::start(Work work, std::function<void(const OpenedPicture& picture, const QString& by)> taken) {
    if (m_request.document().empty()) return;
    m_control.cancelLive();  // it would be of a picture that is left
    m_jobs.start(
        this,
        [picture = m_request.document().grid(), work = std::move(work)](const JobContext& context) {
            const Made made = work(picture, context.stop());
            return std::pair{OpenedPicture{made.picture, thumbnailOf(*made.picture)}, made.by};
        },
        [this, taken = std::move(taken)](JobResult<std::pair<OpenedPicture, QString>> result) {
            if (result) return taken(result.value().first, result.value().second);
            m_wanted = {};
            m_activity.fail(result.failure());
            m_control.resumeLive();
        });
}

}  // namespace warplens::gui
