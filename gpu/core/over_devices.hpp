// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/device/device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// How devices that keep neighbouring parts of one field give each other the halos, the slowest way first: through the
/// host; by peer copies, between two sweeps; by peer copies of faces that are computed first, while the interior is
/// computed. Where neighbours cannot, the next slower way is taken.
enum class HaloWay { host, peer, overlapped };

/// What a Problem is as well when several devices can work on it at once, with the bits of one.
class OverDevices {
public:
    virtual ~OverDevices() = default;
    /// Why one device has to do for this one, to follow a colon; empty: it need not.
    virtual std::string onlyOne() const { return {}; }
    /// A session on devices of one kind, at least one, which outlive it, as the problem does. The memory of each
    /// suffices, or it throws Error(outOfMemory). `way`: of halos, where the devices exchange any.
    virtual std::unique_ptr<Session> openOver(const std::vector<Device*>& devices, Resident& resident,
                                              HaloWay way) const = 0;
};

}  // namespace warplens::gpu
