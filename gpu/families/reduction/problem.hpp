// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/partitionable.hpp"
#include "gpu/families/reduction/arguments.hpp"
#include "gpu/families/reduction/projection.hpp"
#include "gpu/families/reduction/reference.hpp"
#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace warplens::gpu::reduction {

/// Figures with the cells that they are of, one a channel, kCellStride apart: exact, by which pieces are joined.
struct CellTable : Table {
    CellTable(Table figures, std::vector<std::byte> exact) : Table(std::move(figures)), cells(std::move(exact)) {}
    std::vector<std::byte> cells;
};

/// What the user may choose.
struct Chosen {
    enum class Along { all, x, y, z };
    Measure measure{};
    std::shared_ptr<const NamedGrid> with{};
    Along along{};
    Keep keep{};
};
const BoundParameters<Chosen>& parameters();

class ReductionProblem;
using ReductionFrame = PictureProblem<ReductionProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and libraries, which read the session's arguments again at each launch.
const ReductionFrame::Ladder& ladder();

/// Between cells of two channels.
constexpr std::size_t kCellStride = 64;
/// The table that follows from the cells of all channels, kCellStride apart.
Table tableOf(const ReductionProblem& problem, const std::vector<std::byte>& cells);

/// One picture, and what it is reduced to.
class ReductionProblem final : public ReductionFrame, public Partitionable {
public:
    ReductionProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const Partitionable* inPieces() const override { return this; }
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    std::string indivisibleReason() const override;
    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    int cutAxis() const override;
    std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PartitionMerger> emptyResults() const override;
    /// Whether this is a piece of another problem, whose table is a CellTable.
    bool isPiece() const { return m_piece; }

    Measure measure() const { return m_measure; }
    const Projection& projection() const { return m_projection; }
    std::shared_ptr<io::Grid> emptyOutput() const override;
    /// Null unless this is a comparison.
    const std::shared_ptr<const io::Grid>& with() const { return m_with; }
    Case posed() const;
    /// The first finite value of a channel; 0 where there is none.
    float pivotOf(int channel) const;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;
    ReductionProblem(const ReductionProblem& whole, std::shared_ptr<const io::Grid> lines, std::int64_t first);
    struct Reference {
        std::vector<ExactStatistics> statistics;
        std::vector<ExactComparison> comparisons;
    };
    std::shared_ptr<const Reference> reference(const std::stop_token& stop) const;
    /// `depth` additions of a value were in f32; `naive`: a library takes the variance from the mean of squares.
    Verification verifyStatistics(const Table& got, double depth, bool naive, const Reference& exact) const;
    Verification verifyComparison(const Table& got, double depth, const Reference& exact) const;

    std::shared_ptr<const io::Grid> m_with;
    std::string m_withName;
    Measure m_measure = Measure::statistics;
    Projection m_projection;
    bool m_piece = false;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const Reference> m_reference;
};

}  // namespace warplens::gpu::reduction
