// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/lane.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"

namespace warplens::gpu {

Overlapping& overlappingOf(Device& device) {
    if (auto* overlapping = dynamic_cast<Overlapping*>(&device)) return *overlapping;
    throw Error(Error::Kind::unsupported, device.info().id + ": it has only one queue; choose another device");
}

bool isRecording(const Device& device) {
    const auto* overlapping = dynamic_cast<const Overlapping*>(&device);
    return overlapping != nullptr && overlapping->recording();
}

}  // namespace warplens::gpu
