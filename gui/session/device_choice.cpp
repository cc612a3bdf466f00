// SPDX-License-Identifier: Apache-2.0
#include "gui/session/device_choice.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/device_names.hpp"
#include "gui/kit/activity.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace warplens::gui {

void DeviceChoice::fetch(const std::string& wanted) {
    m_jobs.start(
        this, [](const JobContext&) { return gpu::listDevices(); },
        [this, wanted](JobResult<gpu::DeviceList> result) {
            if (!result) return m_activity.fail(result.failure());
            m_list = std::move(result.value());
            const auto& list = m_list.devices;
            const bool here = there(wanted);
            if (!wanted.empty() && !here)
                m_activity.report(tr("There is no device %1 here; %2 is used.")
                                      .arg(QString::fromStdString(wanted),
                                           list.empty() ? tr("none") : QString::fromStdString(list.front().id)));
            emit listChanged();
            if (!list.empty()) choose(here ? wanted : list.front().id);
        });
}

std::vector<std::string> DeviceChoice::found(const std::string& names) const {
    if (names.empty()) return {};
    try {
        return gpu::deviceIds(names, m_list);
    } catch (const gpu::Error&) {
        return {};
    }
}

std::string DeviceChoice::names() const {
    std::string names = m_id;
    for (const std::string& id : m_beside) names += ',' + id;
    return names;
}

std::string DeviceChoice::several() const {
    std::vector<std::string> ids;
    for (const gpu::DeviceInfo& device : m_list.devices)
        if (device.kind == gpu::DeviceKind::cuda) ids.push_back(device.id);
    if (ids.empty() && m_list.find("cpu") != nullptr) ids = {"cpu", "cpu"};
    if (ids.size() < 2) return {};
    return std::accumulate(std::next(ids.begin()), ids.end(), ids.front(),
                           [](const std::string& names, const std::string& id) { return names + ',' + id; });
}

const gpu::DeviceInfo* DeviceChoice::chosen() const {
    const auto at = std::ranges::find(m_list.devices, m_id, &gpu::DeviceInfo::id);
    return at == m_list.devices.end() ? nullptr : &*at;
}

bool DeviceChoice::ranking() const {
    const gpu::DeviceInfo* info = chosen();
    return info != nullptr && info->ranks();
}

void DeviceChoice::choose(const std::string& named) {
    std::vector<std::string> ids = found(named);
    if (ids.empty()) ids = {named};
    std::vector<std::string> beside(std::next(ids.begin()), ids.end());
    if (m_id == ids.front() && m_beside == beside) return;
    m_id = ids.front();
    m_beside = std::move(beside);
    m_limits.reset();
    emit changed();
    m_activity.setPersistentNotice(consequence());
}

void DeviceChoice::setHalos(gpu::HaloExchangeMode way) {
    if (way == m_halos) return;
    m_halos = way;
    emit changed();
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
