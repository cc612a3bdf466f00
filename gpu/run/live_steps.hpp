// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/device/lane.hpp"
#include "gpu/run/runner.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// Steps behind one whose result lies on a device: each finds there what the one before it made. Nothing of it comes to
/// the host, and what they need stays open from picture to picture, while the values of an earlier step move. Not
/// thread-safe.
class LiveSteps {
public:
    /// What a request of one variant comes to: the variant, and what is known of it before it runs.
    using Describe = std::function<std::pair<const Variant*, RunRecord>(const Request&, const Problem&)>;

    explicit LiveSteps(Device& device) : m_device(device) {}

    /// Runs them on `first`, which they need not do again where it is not `fresh`. `like` is a picture of the host that
    /// has the geometry of all, `steps` have no input. What the last one makes stays until the next call; absent where
    /// a step does not run on the device as a whole, or may need the values of its input on the host. Throws Error.
    std::optional<DevicePicture> run(const DevicePicture& first, bool fresh, const io::Grid& like,
                                     const std::vector<Request>& steps, const Describe& describe);
    /// Frees what lies on the device.
    void drop() { m_links.clear(); }

private:
    struct Link {
        Request step;  ///< its input has an extent and a type, and no values
        std::shared_ptr<const Problem> problem;
        const Variant* variant = nullptr;
        RunRecord described;
        Resident resident;
        std::unique_ptr<Session> session;  ///< last: ends before what it uses
    };
    /// False: it cannot be a link.
    bool opens(Link& link, const Describe& describe);
    void pass(Link& link, const DevicePicture& from);

    Device& m_device;
    std::unique_ptr<Lane> m_copies;
    std::vector<std::unique_ptr<Link>> m_links;
};

}  // namespace warplens::gpu
