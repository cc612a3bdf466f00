// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/device/device.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::gpu {

/// How devices that keep neighbouring parts of one field give each other the halos, rung by rung: through the host; by
/// peer copies, between two sweeps; by peer copies of faces that are computed first, while the interior is computed;
/// the same with several rounds of all devices as one launch graph. Where neighbours cannot, a rung below is taken.
enum class HaloExchangeMode { host, peer, overlapped, graph };
inline constexpr std::array<const char*, 4> kHaloWays{"host", "peer", "overlapped",
                                                      "graph"};  ///< as the command line names them
inline const char* nameOf(HaloExchangeMode way) { return kHaloWays.at(static_cast<std::size_t>(way)); }
/// The way of that name; none: there is none.
inline std::optional<HaloExchangeMode> haloWayOf(std::string_view name) {
    for (std::size_t i = 0; i < kHaloWays.size(); ++i)
        if (name == kHaloWays[i]) return static_cast<HaloExchangeMode>(i);
    return std::nullopt;
}

/// What Problem::overDevices() tells when several devices can work on it at once, with the bits of one.
class MultiDeviceProblem {
public:
    virtual ~MultiDeviceProblem() = default;
    /// Why one device has to do for this one, to follow a colon; empty: it need not.
    virtual std::string singleDeviceReason() const { return {}; }
    /// A session on devices of one kind, at least one, which outlive it, as the problem does. The memory of each
    /// suffices, or it throws Error(outOfMemory). `way`: of halos, where the devices exchange any.
    virtual std::unique_ptr<Session> openOver(const std::vector<Device*>& devices, Resident& resident,
                                              HaloExchangeMode way) const = 0;
    /// Tunables that serve a variant better than its defaults do where devices share the problem. What was chosen
    /// stays.
    virtual TunableValues whenShared(const Variant& /*variant*/) const { return {}; }
};

}  // namespace warplens::gpu
