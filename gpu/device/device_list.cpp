// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/cuda_device.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/simt/simt_device.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu {

namespace {

/// A way to run kernels on some kind of device.
struct Backend {
    DeviceKind kind;  ///< of its devices
    std::vector<DeviceInfo> (*list)(std::string& whyNone);
    std::unique_ptr<Device> (*open)(const std::string& id);
};

/// The first one's first device is the default.
const Backend kBackends[] = {
    {DeviceKind::cuda, &cudaDevices,
     [](const std::string& id) { return openCudaDevice(std::stoi(id.substr(id.find(':') + 1))); }},
    {DeviceKind::simt, [](std::string&) { return std::vector{simtDeviceInfo()}; },
     [](const std::string&) { return openSimtDevice(); }}};

}  // namespace

const char* nameOf(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::cuda: return "cuda";
        case DeviceKind::simt: return "simt";
    }
    return "";
}

const DeviceInfo* DeviceList::find(const std::string& wanted) const {
    const auto at = std::ranges::find_if(devices, [&](const DeviceInfo& device) {
        return wanted.empty() || device.id == wanted || device.uuid == wanted ||
               device.id.substr(0, device.id.find(':')) == wanted;
    });
    return at == devices.end() ? nullptr : &*at;
}

DeviceList listDevices() {
    DeviceList list;
    for (const Backend& backend : kBackends) {
        for (DeviceInfo& device : backend.list(list.whyNoCuda)) list.devices.push_back(std::move(device));
    }
    return list;
}

std::unique_ptr<Device> openDevice(const std::string& id) {
    if (id == "cpu") return openSimtDevice();
    const auto list = listDevices();
    if (const DeviceInfo* device = list.find(id))
        return std::ranges::find(kBackends, device->kind, &Backend::kind)->open(device->id);
    std::string known;
    for (const auto& device : list.devices) known += (known.empty() ? "" : ", ") + device.id;
    throw Error(Error::Kind::noDevice,
                "no device '" + id + "': choose from " + known + (list.whyNoCuda.empty() ? "" : ". " + list.whyNoCuda));
}

}  // namespace warplens::gpu
