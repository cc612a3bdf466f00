// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/lane.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"

namespace warplens::gpu {

StreamDevice& overlappingOf(Device& device) {
    if (auto* overlapping = dynamic_cast<StreamDevice*>(&device)) return *overlapping;
    throw Error(Error::Kind::unsupported, device.info().id + ": it has only one queue; choose another device");
}

bool isCapturing(const Device& device) {
    const auto* overlapping = dynamic_cast<const StreamDevice*>(&device);
    return overlapping != nullptr && overlapping->recording();
}

}  // namespace warplens::gpu
