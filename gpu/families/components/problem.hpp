// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/components/arguments.hpp"
#include "gpu/families/components/parameters.hpp"
#include "gpu/families/components/reference.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <mutex>

namespace warplens::gpu::components {

class ComponentsProblem;
using ComponentsFrame = PictureProblem<ComponentsProblem, KernelEntry, Task>;

/// The rows of variants.inc with their kernels and libraries.
const ComponentsFrame::Ladder& ladder();
/// What follows a forest of pixels, as built for a device; null when there is no such build.
const StepsEntry* stepsOf(const DeviceInfo& device);

/// One picture whose regions above a level are labelled.
class ComponentsProblem final : public ComponentsFrame {
public:
    ComponentsProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;
    Result resultOfPlanes(const std::vector<std::byte>& planes) const override;

    const LabellingOptions& asked() const { return m_asked; }
    /// All but the buffers.
    Task posed() const;
    io::Shape outputShape() const override;
    io::PixelType outputType() const override { return io::PixelType::u32; }
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;
    bool volume() const { return m_input->shape().depth > 1; }

    LabellingOptions m_asked;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const Labelled> m_exact;  ///< the reference, once it was needed
};

}  // namespace warplens::gpu::components
