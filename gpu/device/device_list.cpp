// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/cuda_device.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/simt/simt_device.hpp"

namespace warplens::gpu {

DeviceList listDevices() {
    DeviceList list;
    list.devices = cudaDevices(list.whyNoCuda);
    list.devices.push_back(simtDeviceInfo());
    return list;
}

std::unique_ptr<Device> openDevice(const std::string& id) {
    if (id == "cpu") return openSimtDevice();
    const auto list = listDevices();
    const auto wanted = id == "cuda" ? "cuda:0" : id;
    for (const auto& device : list.devices) {
        if (!id.empty() && device.id != wanted && device.uuid != wanted) continue;
        return device.kind == "simt" ? openSimtDevice()
                                     : openCudaDevice(std::stoi(device.id.substr(device.id.find(':') + 1)));
    }
    std::string known;
    for (const auto& device : list.devices) known += (known.empty() ? "" : ", ") + device.id;
    throw Error(
        Error::Kind::noDevice,
        "no device '" + id + "': " + (list.whyNoCuda.empty() ? "" : list.whyNoCuda + " ") + "choose one of " + known);
}

}  // namespace warplens::gpu
