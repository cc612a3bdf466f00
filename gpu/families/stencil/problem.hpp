// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/multi_device_problem.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/families/stencil/arguments.hpp"
#include "gpu/families/stencil/operator.hpp"
#include "gpu/families/stencil/schedule.hpp"
#include "gpu/families/stencil/stepper.hpp"
#include "gpu/families/stencil/verify.hpp"
#include "gpu/frame/picture_problem.hpp"

namespace warplens::gpu::stencil {

class StencilProblem;
using StencilFrame = PictureProblem<StencilProblem, KernelEntry, Pass>;

/// The rows of variants.inc with their kernels and libraries.
const StencilFrame::Ladder& ladder();
/// Residual and held regions.
const FieldEntry& fieldEntry(const DeviceInfo& device);
/// Iterates stencils on pictures and volumes: heat, Jacobi, smoothing, sharpening, or any given coefficients.
const Family& family();

/// One picture or volume and one operator.
class StencilProblem final : public StencilFrame, public MultiDeviceProblem, public Portable {
public:
    StencilProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    std::unique_ptr<Session> openOver(const std::vector<Device*>& devices, Resident& resident,
                                      HaloExchangeMode way) const override;
    TunableValues whenShared(const Variant& variant) const override;
    Verification verify(const Result& computed, const Variant& variant, std::stop_token stop) const override;
    const MultiDeviceProblem* overDevices() const override { return this; }
    const Portable* portable() const override { return this; }
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;
    Result resultOfPlanes(const std::vector<std::byte>& planes) const override;
    std::unique_ptr<PortableSession> openPortable(const Variant& variant, const TunableValues& tunables) const override;

    Footprint footprintOf(const KernelEntry& kernel, const TunableValues& tunables) const {
        return kernel.footprint(tunables, m_op.pattern);
    }
    const Operator& op() const { return m_op; }
    const Schedule& schedule() const { return m_schedule; }
    io::PixelType outputType() const override { return m_outputType; }
    /// The input's planes, of which an alpha channel that is kept is not stepped.
    Extent extent() const;
    /// f32 values of the input's shape as the picture that the user asked for: with geometry and metadata, in the
    /// input's own type if so chosen.
    std::shared_ptr<const io::Grid> finish(io::Grid field) const;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    Operator m_op;
    Schedule m_schedule;
    std::vector<std::string> m_facts;
    io::PixelType m_outputType = io::PixelType::f32;
    int m_channels = 1;
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::stencil
