// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/distance/arguments.hpp"
#include "gpu/families/distance/reference.hpp"
#include "gpu/frame/picture_problem.hpp"

namespace warplens::gpu::distance {

class DistanceProblem;
using DistanceFrame = PictureProblem<DistanceProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and libraries.
const DistanceFrame::Ladder& ladder();

/// One picture or volume and the level at or below which its values are sites.
class DistanceProblem final : public DistanceFrame {
public:
    DistanceProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    double boundFactor(const Variant& variant) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    const Case& posed() const { return m_case; }
    io::PixelType outputType() const override { return m_case.outputType(); }
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    Case m_case;
    std::string m_levelFact;  ///< where the picture said its level
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::distance
