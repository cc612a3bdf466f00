// SPDX-License-Identifier: Apache-2.0
// Statistics, comparisons and projections of a picture that goes over piece by piece.
#include "gpu/core/error.hpp"
#include "gpu/families/reduction/cells.hpp"
#include "gpu/families/reduction/problem.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warplens::gpu::reduction {
namespace {

Wide joined(Wide at, Wide offset) { return at == kNowhere ? at : at + offset; }

// Of equal extremes the first one stands: pieces come in order.
void join(IntegerStatistics& to, const IntegerStatistics& from, Wide offset) {
    if (to.minimumAt == kNowhere || from.minimum < to.minimum) {
        to.minimum = from.minimum;
        to.minimumAt = joined(from.minimumAt, offset);
    }
    if (to.maximumAt == kNowhere || from.maximum > to.maximum) {
        to.maximum = from.maximum;
        to.maximumAt = joined(from.maximumAt, offset);
    }
    to.sum += from.sum;
    to.squares += from.squares;
}

void join(IntegerComparison& to, const IntegerComparison& from, Wide) {
    to.largest = std::max(to.largest, from.largest);
    to.mismatches += from.mismatches;
    to.dot += from.dot;
    to.magnitude += from.magnitude;
    to.squares += from.squares;
}

/// Cells of integers, whose sums are exact in any order.
template <class Cell>
class JoinedCells final : public PartitionMerger {
public:
    explicit JoinedCells(const ReductionProblem& problem)
        : m_problem(problem), m_cells(static_cast<std::size_t>(problem.input()->shape().channels)) {
        const io::Shape& s = problem.input()->shape();
        m_apart = s.pixels() / extentAlong(s, problem.cutAxis());
    }

    void add(const Result& part, const Partition& piece) override {
        const auto& cells = static_cast<const CellTable&>(*part.tables.front()).cells;
        for (std::size_t c = 0; c < m_cells.size(); ++c) {
            Cell cell;
            std::memcpy(&cell, cells.data() + c * kCellStride, sizeof cell);
            join(m_cells[c], cell, static_cast<Wide>(piece.first * m_apart));
        }
    }

    Result take() override {
        std::vector<std::byte> cells(m_cells.size() * kCellStride);
        for (std::size_t c = 0; c < m_cells.size(); ++c)
            std::memcpy(cells.data() + c * kCellStride, &m_cells[c], sizeof m_cells[c]);
        return {.picture = {}, .tables = {std::make_shared<const Table>(tableOf(m_problem, cells))}};
    }

private:
    const ReductionProblem& m_problem;
    std::vector<Cell> m_cells;
    std::int64_t m_apart = 1;  ///< pixels from a line to the next
};

/// Where an axis of the input is in a projection along another one: the two that are left keep their order.
int axisLeft(int axis, Axis gone) { return static_cast<int>(gone) < axis ? axis - 1 : axis; }

}  // namespace

ReductionProblem::ReductionProblem(const ReductionProblem& whole, std::shared_ptr<const io::Grid> lines,
                                   std::int64_t first)
    : PictureProblem(std::move(lines), ladder(), "to reduce", true),
      m_withName(whole.m_withName),
      m_measure(whole.m_measure),
      m_projection(whole.m_projection),
      m_piece(true) {
    const int axis = whole.cutAxis();
    if (whole.m_with != nullptr)
        m_with = linesOf(*whole.m_with, axis, first, extentAlong(m_input->shape(), axis), false);
}

std::string ReductionProblem::indivisibleReason() const {
    if (m_measure == Measure::projection)
        return static_cast<int>(m_projection.axis) == cutAxis() ? "a line of the projection lies across all pieces"
                                                                : "";
    return m_input->type() == io::PixelType::f32 ? "sums of floats would be rounded otherwise in pieces" : "";
}

int ReductionProblem::cutAxis() const {
    const io::Shape& s = m_input->shape();
    const bool row = s.depth == 1 && s.height == 1 && m_measure != Measure::projection;
    return row ? 0 : axisOfLines(s);
}

std::unique_ptr<Problem> ReductionProblem::makePartition(std::shared_ptr<const io::Grid> lines,
                                                         std::int64_t first) const {
    return std::unique_ptr<Problem>(new ReductionProblem(*this, std::move(lines), first));
}

std::unique_ptr<PartitionMerger> ReductionProblem::emptyResults() const {
    if (m_measure == Measure::projection) return pictureOfPieces(emptyOutput(), axisLeft(cutAxis(), m_projection.axis));
    if (m_measure == Measure::comparison) return std::make_unique<JoinedCells<IntegerComparison>>(*this);
    return std::make_unique<JoinedCells<IntegerStatistics>>(*this);
}

}  // namespace warplens::gpu::reduction
