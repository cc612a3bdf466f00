// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/resample/arguments.hpp"
#include "gpu/families/resample/parameters.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <vector>

namespace warplens::gpu::resample {

class ResampleProblem;
using ResampleFrame = PictureProblem<ResampleProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and libraries.
const ResampleFrame::Ladder& ladder();

/// Of each output of an axis the first tap, which may lie beyond an edge, and the weights, which add up to 1.
struct Weights {
    std::vector<int> first;
    std::vector<double> weight;
};

/// One picture and the size that it gets.
class ResampleProblem final : public ResampleFrame {
public:
    ResampleProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    const Case& posed() const { return m_case; }
    const Weights& across() const { return m_across; }
    const Weights& down() const { return m_down; }
    io::Shape outputShape() const override;
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    void poseSize(const Chosen& chosen);
    void poseTurn(const Chosen& chosen);
    Verification verifyTurned(const Result& result, double eps, const std::stop_token& stop) const;

    Case m_case;
    Weights m_across, m_down;  ///< none of a rotation
};

}  // namespace warplens::gpu::resample
