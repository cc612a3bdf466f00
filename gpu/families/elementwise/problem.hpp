// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/partitionable.hpp"
#include "gpu/families/elementwise/arguments.hpp"
#include "gpu/families/elementwise/curve.hpp"
#include "gpu/families/elementwise/parameters.hpp"
#include "gpu/frame/filter_problem.hpp"

#include <optional>

namespace warplens::gpu::elementwise {

class ElementwiseProblem;
using ElementwiseFrame = FilterProblem<ElementwiseProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and libraries.
const ElementwiseFrame::Ladder& ladder();

/// One picture, or two, and what is done to each value.
class ElementwiseProblem final : public ElementwiseFrame, public Partitionable {
public:
    /// `level`: of a piece, the threshold that a rule found in the whole picture.
    ElementwiseProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
                       std::optional<double> level = {});

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    const Partitionable* inPieces() const override { return this; }
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    bool foundOverAll() const override { return m_chosen.task == Task::threshold && m_chosen.thresholdBy != "percent"; }
    std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PartitionMerger> emptyResults() const override;

    double exactAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const override {
        return expectedAt(x, y, z, channel).value;
    }
    double boundAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const override {
        return expectedAt(x, y, z, channel).bound;
    }

    const Case& posed() const { return m_case; }
    const Chosen& chosen() const { return m_chosen; }
    const Curve& curve() const { return m_curve; }
    const std::shared_ptr<const io::Grid>& with() const { return m_with; }
    io::Shape outputShape() const override;
    io::PixelType outputType() const override { return m_case.outputType; }

private:
    struct Expected {
        double value = 0, bound = 0;
    };
    Expected expectedAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const;
    Formula formulaOf() const;
    void choosePlanes();
    /// Of a task that picks: the value that becomes channel `channel` of the result.
    double pickedAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const;

    ParameterValues m_values;  ///< for pieces
    Chosen m_chosen;
    std::shared_ptr<const io::Grid> m_with;  ///< null where the task takes one picture
    double m_top = 0;                        ///< full range of the picture's type
    double m_conversion = 1;                 ///< of that into the result's
    double m_black = 0, m_white = 0, m_level = 0;
    Curve m_curve;  ///< of the task that has one
    Case m_case;
};

}  // namespace warplens::gpu::elementwise
