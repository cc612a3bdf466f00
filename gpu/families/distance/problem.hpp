// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/families/distance/arguments.hpp"
#include "gpu/families/distance/reference.hpp"

namespace warplens::gpu::distance {

/// One picture or volume and the level at or below which its values are sites.
class DistanceProblem final : public Problem {
public:
    DistanceProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    double boundFactor(const Variant& variant) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    const Case& posed() const { return m_case; }
    /// An output yet to be filled, with its place in space and what the file said.
    std::shared_ptr<io::Grid> emptyOutput() const;

private:
    std::shared_ptr<const io::Grid> m_input;
    Case m_case;
    std::string m_levelFact;  ///< where the picture said its level
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::distance
