// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gui/kit/job_runner.hpp"

#include <QObject>
#include <optional>
#include <string>

namespace warplens::gui {

class Activity;

/// The devices there are, the one that is chosen, and what is known of it.
class DeviceChoice : public QObject {
    Q_OBJECT
public:
    explicit DeviceChoice(Activity& activity, QObject* parent = nullptr) : QObject(parent), m_activity(activity) {}

    /// Asks for the devices; `wanted` (an id or UUID) is taken when it is there.
    void fetch(const std::string& wanted = {});
    const gpu::DeviceList& list() const { return m_list; }
    /// Null until the list has come.
    const gpu::DeviceInfo* chosen() const;
    /// The id of chosen(), or empty.
    const std::string& id() const { return m_id; }
    void choose(const std::string& id);
    /// Whether times on the chosen device rank kernels.
    bool ranking() const;
    /// Measured ceilings of the chosen device, once a comparison has read them.
    const std::optional<gpu::Limits>& limits() const { return m_limits; }
    void setLimits(const std::optional<gpu::Limits>& limits);

signals:
    void listChanged();
    /// Another device was chosen: nothing that was found on the earlier one holds. Before changed().
    void switched();
    /// The chosen device, or what is known of it.
    void changed();

private:
    QString consequence() const;

    Activity& m_activity;
    gpu::DeviceList m_list;
    std::string m_id;
    std::optional<gpu::Limits> m_limits;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
