// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/merge/arguments.hpp"
#include "gpu/families/merge/parameters.hpp"
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

    Task task() const { return m_task; }
    /// Each channel's values; a merge's halves, of which the first has one more where they are odd.
    Lists channels() const;
    Lists firstHalves() const;
    Lists secondHalves() const;
    /// What is asked for, made of sorted values.
    Result resultOf(std::shared_ptr<const io::Grid> sorted) const;

    bool hasNaN() const;
    /// What a merge begins with.
    std::shared_ptr<const io::Grid> withSortedHalves() const;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    Task m_task;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const io::Grid> m_exact;  ///< the reference, once it was needed
    mutable std::optional<bool> m_nan;
};

}  // namespace warplens::gpu::merge
