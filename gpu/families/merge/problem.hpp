// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/merge/arguments.hpp"
#include "gpu/families/merge/lists.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <mutex>

namespace warplens::gpu::merge {

class MergeProblem;
using MergeFrame = PictureProblem<MergeProblem, KernelEntry, Pass>;

/// The rows of variants.inc with their kernels and libraries.
const MergeFrame::Ladder& ladder();
/// What stands before and after passes, as built for a device; null when there is no such build.
const StepsEntry* stepsOf(const DeviceInfo& device);

/// One picture whose values are merged, sorted or asked for quantiles, each channel for itself.
class MergeProblem final : public MergeFrame {
public:
    MergeProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;
    Result resultOfPlanes(const std::vector<std::byte>& planes) const override;

    Task task() const { return m_chosen.task; }
    /// Whether a merge's lists are sorted already.
    bool listsGiven() const { return m_chosen.lists == ListOrder::given; }
    /// Each channel's values; a merge's first lists, and the second ones behind them.
    Lists channels() const;
    Lists firstLists() const;
    Lists secondLists() const;
    /// What is asked for, made of sorted values.
    Result resultOf(std::shared_ptr<const io::Grid> sorted) const;

    bool hasNaN() const;
    /// What a merge begins with.
    std::shared_ptr<const io::Grid> withSortedLists() const;

private:
    explicit MergeProblem(ChosenLists lists);

    std::shared_ptr<const Table> coRankSteps() const;

    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    Chosen m_chosen;
    std::uint64_t m_first;  ///< values of a first list
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const io::Grid> m_exact;  ///< the reference, once it was needed
    mutable std::optional<bool> m_nan;
    mutable std::shared_ptr<const Table> m_steps;  ///< of the search for a co-rank, once they were told
};

}  // namespace warplens::gpu::merge
