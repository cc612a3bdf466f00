// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/family.hpp"
#include "gpu/core/pieces.hpp"
#include "gpu/families/histogram/arguments.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "gpu/families/histogram/selection.hpp"

#include <memory>
#include <mutex>

namespace warplens::gpu::histogram {

/// One picture, the selection of its values, and the bins they are counted in.
class HistogramProblem final : public Problem, public InPieces {
public:
    HistogramProblem(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const InPieces* inPieces() const override { return this; }

    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_values; }
    /// Of selected values, which are one row, pixels.
    int cutAxis() const override;
    std::unique_ptr<Problem> pieceOf(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PieceResults> emptyResults() const override;

    /// What is counted: the picture itself, or a row of the selected values.
    const std::shared_ptr<const io::Grid>& values() const { return m_values; }
    const Selection& selection() const { return m_selection; }
    const Edges& edges() const { return m_edges; }
    const std::vector<std::string>& channelNames() const { return m_names; }
    /// The case as kernels see it on a device that gives a block so much shared memory.
    Case caseFor(std::int64_t sharedBytes) const;
    /// Edges and names with empty channels, to be filled in.
    BinnedCounts emptyResult() const;

private:
    /// Some of its values in the bins of the whole.
    HistogramProblem(const HistogramProblem& whole, std::shared_ptr<const io::Grid> values);
    /// The definition's counts, made once, when first needed.
    std::shared_ptr<const BinnedCounts> reference(std::stop_token stop) const;

    io::Shape m_shape;  ///< of the picture
    Selection m_selection;
    std::shared_ptr<const io::Grid> m_values;
    Edges m_edges;
    bool m_rangeGiven = false;
    std::vector<std::string> m_names;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const BinnedCounts> m_reference;
};

}  // namespace warplens::gpu::histogram
