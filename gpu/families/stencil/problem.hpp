// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/over_devices.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/families/stencil/operator.hpp"
#include "gpu/families/stencil/schedule.hpp"
#include "gpu/families/stencil/stepper.hpp"
#include "gpu/families/stencil/verify.hpp"

namespace warplens::gpu::stencil {

/// One picture or volume and one operator.
class StencilProblem final : public Problem, public OverDevices, public Portable {
public:
    StencilProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    std::unique_ptr<Session> openOver(const std::vector<Device*>& devices, Resident& resident,
                                      HaloWay way) const override;
    TunableValues whenShared(const Variant& variant) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& computed, const Variant& variant, std::stop_token stop) const override;
    const OverDevices* overDevices() const override { return this; }
    const Portable* portable() const override { return this; }
    std::unique_ptr<PortableSession> openPortable(const Variant& variant, const TunableValues& tunables) const override;

    const io::Grid& input() const { return *m_input; }
    const std::shared_ptr<const io::Grid>& inputPointer() const { return m_input; }
    const Operator& op() const { return m_op; }
    const Schedule& schedule() const { return m_schedule; }
    io::PixelType outputType() const { return m_outputType; }
    /// The input's planes, of which an alpha channel that is kept is not stepped.
    Extent extent() const;
    /// f32 values of the input's shape as the picture that the user asked for: with geometry and metadata, in the
    /// input's own type if so chosen.
    std::shared_ptr<const io::Grid> finish(io::Grid field) const;

private:
    std::shared_ptr<const io::Grid> m_input;
    Operator m_op;
    Schedule m_schedule;
    std::vector<std::string> m_facts;
    io::PixelType m_outputType = io::PixelType::f32;
    int m_channels = 1;
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::stencil
