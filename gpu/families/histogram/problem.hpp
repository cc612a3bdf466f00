// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/partitionable.hpp"
#include "gpu/families/histogram/arguments.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "gpu/families/histogram/selection.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <memory>
#include <mutex>

namespace warplens::gpu::histogram {

/// Counts the values of a picture or volume in bins, a channel at a time, or its luminance.
const Family& family();

/// What libraries see: all channels.
struct LibraryCase : Arguments {
    const Edges* edges = nullptr;
    const Buffer* counted = nullptr;  ///< totals of all channels, where they are brought
    std::size_t channels = 1;
};

class HistogramProblem;
using HistogramFrame = PictureProblem<HistogramProblem, KernelEntry, LibraryCase>;

/// The rows of variants.inc with their kernels and libraries.
const HistogramFrame::Ladder& ladder();

/// The selected values of one picture, which are the frame's input: the picture itself, or a row. And the bins they are
/// counted in.
class HistogramProblem final : public HistogramFrame, public Partitionable {
public:
    HistogramProblem(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const Partitionable* inPieces() const override { return this; }
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;
    Result resultOfPlanes(const std::vector<std::byte>& planes) const override;

    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    /// Of selected values, which are one row, pixels.
    int cutAxis() const override;
    std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PartitionMerger> emptyResults() const override;

    const Selection& selection() const { return m_selection; }
    const Edges& edges() const { return m_edges; }
    const std::vector<std::string>& channelNames() const { return m_names; }
    /// The case as kernels see it on a device that gives a block so much shared memory.
    Case caseFor(std::int64_t sharedBytes) const;
    Case posed() const { return caseFor(0); }
    /// Edges and names with empty channels, to be filled in.
    BinnedCounts emptyResult() const;

    /// The definition's counts, made once, when first needed.
    std::shared_ptr<const BinnedCounts> reference(std::stop_token stop) const;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;
    /// Some of its values in the bins of the whole.
    HistogramProblem(const HistogramProblem& whole, std::shared_ptr<const io::Grid> values);

    io::Shape m_shape;  ///< of the picture
    Selection m_selection;
    Edges m_edges;
    bool m_rangeGiven = false;
    std::vector<std::string> m_names;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const BinnedCounts> m_reference;
};

}  // namespace warplens::gpu::histogram
