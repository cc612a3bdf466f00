// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/device_names.hpp"

#include "gpu/core/error.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <string_view>

namespace warplens::gpu {

namespace {

constexpr std::string_view kAllGpus = "cuda:all";

/// The named ones, in their order.
class Named {
public:
    Named(const std::string& names, const DeviceList& known) : m_names(names), m_known(known) {
        for (const std::string_view name : io::split(names, ',')) add(std::string(name));
    }
    std::vector<std::string> ids() const {
        std::vector<std::string> ids;
        for (const DeviceInfo* device : m_devices) ids.push_back(device->id);
        return ids;
    }

private:
    void add(const std::string& name) {
        if (name.empty()) refuse("a name is empty: leave out a comma, or give a name");
        bool found = false;
        if (name == kAllGpus) {
            for (const DeviceInfo& device : m_known.devices) {
                if (device.kind != DeviceKind::cuda) continue;
                add(device);
                found = true;
            }
        } else if (const DeviceInfo* device = m_known.find(name)) {
            add(*device);
            found = true;
        }
        if (found) return;
        std::string ids;
        for (const DeviceInfo& device : m_known.devices) ids += (ids.empty() ? "" : ", ") + device.id;
        throw Error(Error::Kind::noDevice, "no device '" + name + "': choose from " + ids +
                                               (m_known.whyNoCuda.empty() ? "" : ". " + m_known.whyNoCuda));
    }

    void add(const DeviceInfo& device) {
        if (device.kind == DeviceKind::cuda && std::ranges::find(m_devices, &device) != m_devices.end())
            refuse(device.id + " is named twice: name each GPU once");
        if (!m_devices.empty() && m_devices.front()->kind != device.kind)
            refuse("results of " + m_devices.front()->id + " and " + device.id +
                   " need not have the same bits: name devices of one kind");
        m_devices.push_back(&device);
    }

    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(Error::Kind::argument, "devices " + io::inQuotes(m_names) + ": " + why);
    }

    const std::string& m_names;
    const DeviceList& m_known;
    std::vector<const DeviceInfo*> m_devices;
};

}  // namespace

bool namesSeveral(const std::string& names) { return names == kAllGpus || names.find(',') != std::string::npos; }

std::vector<std::string> deviceIds(const std::string& names) {
    if (!namesSeveral(names)) return {names};
    return deviceIds(names, listDevices());
}

std::vector<std::string> deviceIds(const std::string& names, const DeviceList& known) {
    return Named(names, known).ids();
}

}  // namespace warplens::gpu
