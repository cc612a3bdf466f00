// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/families/components/arguments.hpp"
#include "gpu/families/components/parameters.hpp"
#include "gpu/families/components/reference.hpp"

#include <mutex>

namespace warplens::gpu::components {

/// One picture whose regions above a level are labelled.
class ComponentsProblem final : public Problem {
public:
    ComponentsProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    /// All but the buffers.
    Task task() const;
    /// An output yet to be filled, with its place in space and what the file said.
    std::shared_ptr<io::Grid> emptyOutput() const;

private:
    bool volume() const { return m_input->shape().depth > 1; }

    std::shared_ptr<const io::Grid> m_input;
    Asked m_asked;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const Labelled> m_exact;  ///< the reference, once it was needed
};

}  // namespace warplens::gpu::components
