// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/multi_device_problem.hpp"
#include "gpu/device/device_info.hpp"
#include "gui/kit/job_runner.hpp"

#include <QObject>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

class Activity;

/// The devices there are, the one that is chosen, and what is known of it.
class DeviceChoice : public QObject {
    Q_OBJECT
public:
    explicit DeviceChoice(Activity& activity, QObject* parent = nullptr) : QObject(parent), m_activity(activity) {}

    /// Asks for the devices; `wanted` (an id, a UUID, or several as deviceIds() takes them) is taken when it is there.
    void fetch(const std::string& wanted = {});
    const gpu::DeviceList& list() const { return m_list; }
    /// The one chosen, or the first of several; null until the list has come.
    const gpu::DeviceInfo* chosen() const;
    /// The id of chosen(), or empty.
    const std::string& id() const { return m_id; }
    /// The ids of those that share the slabs of a volume with it.
    const std::vector<std::string>& beside() const { return m_beside; }
    /// All of them with commas between, as the command line takes them.
    std::string names() const;
    /// One, or several with commas between.
    void choose(const std::string& names);
    /// How several give each other the halos of what is iterated.
    gpu::HaloExchangeMode halos() const { return m_halos; }
    void setHalos(gpu::HaloExchangeMode way);
    /// Whether all of those named are there.
    bool there(const std::string& names) const { return !found(names).empty(); }
    /// Several that can be chosen at once: all GPUs, or the CPU twice, which shows what several do to those who have
    /// none. Empty: there are none that could.
    std::string several() const;
    /// Whether times on the chosen device rank kernels.
    bool ranking() const;
    /// Measured ceilings of the chosen device, once a comparison has read them.
    const std::optional<gpu::Limits>& limits() const { return m_limits; }
    void setLimits(const std::optional<gpu::Limits>& limits);

signals:
    void listChanged();
    /// The chosen device, or what is known of it.
    void changed();

private:
    /// Those named, where all of them are there.
    std::vector<std::string> found(const std::string& names) const;
    QString consequence() const;

    Activity& m_activity;
    gpu::DeviceList m_list;
    std::string m_id;
    std::vector<std::string> m_beside;
    gpu::HaloExchangeMode m_halos = gpu::HaloExchangeMode::overlapped;
    std::optional<gpu::Limits> m_limits;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
