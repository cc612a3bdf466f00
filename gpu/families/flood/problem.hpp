// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/families/flood/arguments.hpp"
#include "gpu/families/flood/parameters.hpp"
#include "gpu/families/flood/seeds.hpp"

#include <mutex>

namespace warplens::gpu::flood {

/// One picture and where its regions begin.
class FloodProblem final : public Problem {
public:
    FloodProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    const Seeds& seeds() const { return m_seeds; }
    /// What launchers see, but for its buffers.
    const Flood& posed() const { return m_flood; }

private:
    std::shared_ptr<const io::Grid> m_input;
    Asked m_asked;
    Seeds m_seeds;
    Flood m_flood;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const io::Grid> m_exact;  ///< the reference, once it was needed
};

/// A picture of steps with its table.
Result resultOf(std::shared_ptr<const io::Grid> steps);

}  // namespace warplens::gpu::flood
