// SPDX-License-Identifier: Apache-2.0
#include "gui/timeline/movement_model.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/activity.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace warplens::gui {

namespace {

constexpr std::int64_t kUsualBytes = std::int64_t{1} << 30;
constexpr int kFewest = 2, kUsual = 16, kUsualOnCpu = 4;
constexpr int kSamples = 5, kSamplesOnCpu = 3;

}  // namespace

MovementModel::MovementModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent)
    : QObject(parent), m_request(request), m_control(control), m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    connect(&m_jobs, &JobRunner::busyChanged, this, &MovementModel::busyChanged);
    connect(&request, &RequestState::taskChanged, this, &MovementModel::taskChanged);
    connect(&request.devices(), &DeviceChoice::changed, this, &MovementModel::taskChanged);
}

bool MovementModel::ready() const { return m_request.ready(); }

int MovementModel::usualPictures() const {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    if (device == nullptr || m_request.document().empty()) return kUsual;
    const auto grid = m_request.document().grid();
    const auto bytes = std::max<std::int64_t>(1, grid->shape().values() * static_cast<int>(io::sizeOf(grid->type())));
    return static_cast<int>(
        std::clamp<std::int64_t>(kUsualBytes / bytes, kFewest, device->ranks() ? kUsual : kUsualOnCpu));
}

gpu::MovementRequest MovementModel::request(int pictures) const {
    // What only a host or another maker's device runs moves nothing: then what the tuning takes.
    const gpu::Variant* current = m_request.currentVariant();
    const bool kernel = current != nullptr && current->kind == gpu::Variant::Kind::kernel &&
                        m_request.variants().kernel(current->id) == nullptr;
    const gpu::Request made = m_request.make({kernel ? m_request.current() : gpu::kAuto}, true);
    return {.input = made.input,
            .inputName = made.inputName,
            .family = made.family,
            .parameters = made.parameters,
            .variant = made.variants.front(),
            .tunables = made.tunables,
            .pictures = static_cast<std::size_t>(pictures),
            .samples = m_request.devices().chosen()->ranks() ? kSamples : kSamplesOnCpu,
            .ways = {},
            .memoryCap = made.memoryCap};
}

void MovementModel::start(int pictures) {
    if (busy() || !ready()) return;
    // Nothing else may keep the device from its work, or be in the times.
    m_control.cancelLive();
    m_activity.report({});
    m_jobs.start(
        this,
        [&runner = m_control.runner(), request = request(pictures),
         device = m_request.devices().chosen()->id](const JobContext& context) {
            return runner.movement(request, device, context.stop(),
                                   [&context](double fraction, const std::string& what) {
                                       context.progress(fraction, QString::fromStdString(what));
                                   });
        },
        [this](JobResult<gpu::TransferBenchmark> result) { finish(std::move(result)); });
}

void MovementModel::finish(JobResult<gpu::TransferBenchmark> result) {
    m_control.resumeLive();
    if (!result) return m_activity.fail(result.failure());
    const gpu::TransferBenchmark& movement = result.value();
    if (movement.verification.mismatches > 0)
        return m_activity.report(tr("%1 gives wrong values, the first at %2: nothing was timed.")
                                     .arg(QString::fromStdString(movement.variant),
                                          QString::fromStdString(movement.verification.firstMismatch)));
    const int all = static_cast<int>(gpu::movementWays().size()), done = static_cast<int>(movement.rows.size());
    const auto could = std::ranges::count(movement.rows, gpu::Status::ok, &gpu::MovementRow::status);
    m_activity.note(movement.interrupted ? tr("Stopped after %1 of %2 ways").arg(done).arg(all)
                                         : tr("Moved pictures in %1 of %2 ways").arg(could).arg(all));
    if (done > 0) emit measured(movement);
}

}  // namespace warplens::gui
