// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/row.hpp"

#include "gpu/device/opencl/sources.hpp"

namespace warplens::gpu::opencl {
namespace {

constexpr const char* kDevice = "opencl_device";

const char* clNameOf(io::PixelType type) {
    return type == io::PixelType::u8 ? "uchar" : type == io::PixelType::u16 ? "ushort" : "float";
}

}  // namespace

Tunable deviceTunable() {
    return {.id = kDevice,
            .fallback = 0,
            .minimum = 0,
            .maximum = 63,
            .help = "Which OpenCL device: its number in the list of warplens-cli devices."};
}

int deviceOf(const TunableValues& tunables) { return tunables.at(kDevice); }

std::string refusalOf(const TunableValues& tunables, DeviceInfo& device) {
    const DeviceList& list = deviceList();
    if (list.devices.empty()) return list.whyNone;
    const auto place = static_cast<std::size_t>(deviceOf(tunables));
    if (place >= list.devices.size())
        return "there is no opencl:" + std::to_string(place) + ": the last one is " + list.devices.back().id +
               ", see warplens-cli devices";
    const DeviceFacts& facts = list.devices[place];
    device.id = facts.id;
    device.name = facts.name;
    device.maxThreadsPerBlock = facts.maxWorkItemsPerGroup;
    device.sharedBytesPerBlock = facts.localBytesPerGroup;
    return {};
}

std::string placeOf(const Queue& queue) { return queue.facts().id + ", " + queue.facts().name; }

std::string typeOption(const std::string& name, io::PixelType type) { return " -D " + name + "=" + clNameOf(type); }

std::string storeOptions(const std::string& name, io::PixelType type) {
    const bool whole = type != io::PixelType::f32;
    return typeOption(name, type) + " -D STORE=convert_" + clNameOf(type) + (whole ? "_sat_rte" : "");
}

Kernel buildRow(Queue& queue, const Variant& variant, const std::vector<std::string>& before,
                const std::string& options) {
    std::vector<std::string> texts;
    for (const std::string& path : before) texts.push_back(sourceOf(path));
    texts.push_back("#line 1\n" + sourceOf(variant.source));
    const std::string file = variant.source.substr(variant.source.rfind('/') + 1);
    return queue.build(texts, file.substr(0, file.find('.')), "-cl-std=CL1.2" + options);
}

}  // namespace warplens::gpu::opencl
