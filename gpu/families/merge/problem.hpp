// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/families/merge/arguments.hpp"
#include "gpu/families/merge/parameters.hpp"

#include <mutex>

namespace warplens::gpu::merge {

/// One picture whose values are merged, sorted or asked for quantiles, each channel for itself.
class MergeProblem final : public Problem {
public:
    MergeProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    Task task() const { return m_task; }
    /// Each channel's values; a merge's halves, of which the first has one more where they are odd.
    Lists channels() const;
    Lists firstHalves() const;
    Lists secondHalves() const;
    /// An output yet to be filled, with its place in space and what the file said.
    std::shared_ptr<io::Grid> emptyOutput() const;
    /// What is asked for, made of sorted values.
    Result resultOf(std::shared_ptr<const io::Grid> sorted) const;

private:
    std::string libraryRefusal(const Variant& variant) const;
    bool hasNaN() const;

    std::shared_ptr<const io::Grid> m_input;
    Task m_task;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const io::Grid> m_exact;  ///< the reference, once it was needed
    mutable std::optional<bool> m_nan;
};

}  // namespace warplens::gpu::merge
