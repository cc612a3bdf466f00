// SPDX-License-Identifier: Apache-2.0
#include "gui/request/device_choice.hpp"

#include "gui/kit/activity.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

void DeviceChoice::fetch(const std::string& wanted) {
    m_jobs.start(
        this, [](const JobContext&) { return gpu::listDevices(); },
        [this, wanted](JobResult<gpu::DeviceList> result) {
            if (!result) return m_activity.fail(result.failure());
            m_list = std::move(result.value());
            const auto& list = m_list.devices;
            const gpu::DeviceInfo* found = m_list.find(wanted);
            if (!wanted.empty() && found == nullptr)
                m_activity.report(tr("There is no device %1 here; %2 is used.")
                                      .arg(QString::fromStdString(wanted),
                                           list.empty() ? tr("none") : QString::fromStdString(list.front().id)));
            emit listChanged();
            if (!list.empty()) choose(found != nullptr ? found->id : list.front().id);
        });
}

const gpu::DeviceInfo* DeviceChoice::chosen() const {
    const auto at = std::ranges::find(m_list.devices, m_id, &gpu::DeviceInfo::id);
    return at == m_list.devices.end() ? nullptr : &*at;
}

bool DeviceChoice::ranking() const {
    const gpu::DeviceInfo* info = chosen();
    return info != nullptr && info->ranks();
}

void DeviceChoice::choose(const std::string& id) {
    if (m_id == id) return;
    m_id = id;
    m_limits.reset();
    emit switched();
    emit changed();
    m_activity.setStanding(consequence());
}

void DeviceChoice::setLimits(const std::optional<gpu::Limits>& limits) {
    m_limits = limits;
    emit changed();
}

QString DeviceChoice::consequence() const {
    if (chosen() == nullptr || ranking()) return {};
    const QString why = QString::fromStdString(m_list.whyNoCuda).trimmed().toHtmlEscaped();
    const QString consequence = tr("CPU times rank nothing, so <b>no winner is named</b>.");
    return why.isEmpty() ? consequence : why + ' ' + consequence;
}

}  // namespace warplens::gui
