// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/partitionable.hpp"
#include "gpu/families/rank/arguments.hpp"
#include "gpu/families/rank/reference.hpp"
#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/picture_problem.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::rank {

/// What the user may choose.
struct Chosen {
    int radius = 1;
    enum class Task { rank, open, close, topHat, blackHat, gradient } task{};
    double percentile = 50;
    enum class Shape { square, cross } shape{};
    Dimensions dimensions{};
    Border border{};
    Alpha alpha{};
};
const BoundParameters<Chosen>& parameters();

class RankProblem;
using RankFrame = PictureProblem<RankProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and libraries.
const RankFrame::Ladder& ladder();
/// As built for a device.
const StepsEntry* stepsOf(const DeviceInfo& device);

/// One picture and the window in which its values are ranked.
class RankProblem final : public RankFrame, public Partitionable {
public:
    RankProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

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

    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    std::int64_t halo() const override;
    bool wraps() const override { return m_case.border == Border::wrap; }
    std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PartitionMerger> emptyResults() const override;

    const Case& posed() const { return m_case; }
    /// Channels that are filtered; what follows them is copied.
    int channels() const { return m_channels; }

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    ParameterValues m_values;  ///< for pieces
    int m_channels = 1;
    Case m_case;
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::rank
