// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/partitionable.hpp"
#include "gpu/families/layout/arguments.hpp"
#include "gpu/frame/picture_problem.hpp"

namespace warplens::gpu::layout {

class LayoutProblem;
using LayoutFrame = PictureProblem<LayoutProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and libraries.
const LayoutFrame::Ladder& ladder();

/// One picture and where its values go.
class LayoutProblem final : public LayoutFrame, public Partitionable {
public:
    LayoutProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const Partitionable* inPieces() const override { return this; }
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    std::string indivisibleReason() const override;
    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PartitionMerger> emptyResults() const override;
    bool inPlace() const override {
        return m_case.asked.task != Task::crop && !m_case.asked.swaps() && !m_case.asked.backwards[1];
    }

    const Case& posed() const { return m_case; }
    io::Shape outputShape() const override { return m_case.asked.output; }
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    ParameterValues m_values;
    Case m_case;
};

}  // namespace warplens::gpu::layout
