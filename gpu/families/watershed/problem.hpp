// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/watershed/arguments.hpp"
#include "gpu/families/watershed/parameters.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace warplens::gpu::watershed {

class WatershedProblem;
using WatershedFrame = PictureProblem<WatershedProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels.
const WatershedFrame::Ladder& ladder();

/// One picture whose regions above a level are cut at their necks.
class WatershedProblem final : public WatershedFrame {
public:
    WatershedProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;

    const Case& posed() const { return m_case; }
    io::Shape outputShape() const override;
    std::shared_ptr<io::Grid> emptyOutput() const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;
    Result resultOfPlanes(const std::vector<std::byte>& planes) const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    Case m_case;
    std::string m_levelFact;  ///< where the picture said its level
    std::string m_stepsFact;  ///< where steps differ by axis
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const std::vector<bool>> m_parts;  ///< by the reference, once it was needed
};

}  // namespace warplens::gpu::watershed
