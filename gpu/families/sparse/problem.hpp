// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/families/sparse/arguments.hpp"
#include "gpu/families/sparse/solver.hpp"
#include "gpu/families/sparse/system.hpp"
#include "gpu/families/sparse/unknowns.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::sparse {

/// One picture, and the matrix that its pixels are multiplied by.
class SparseProblem final : public Problem {
public:
    SparseProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::string traceRefusal() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    const Case& posed() const { return m_case; }
    const Unknowns& unknowns() const { return m_unknowns; }
    /// Of inpainting and cloning.
    const System& system() const { return *m_system; }
    Method method() const { return m_method; }
    const Stopping& stopping() const { return m_stopping; }
    /// Of a product: yet to be filled, with what the file said.
    std::shared_ptr<io::Grid> emptyOutput() const;

private:
    void poseProduct(const NamedGrid* mask);
    bool finite() const;
    void poseSolve(const ParameterValues& values, const NamedGrid* mask);
    std::shared_ptr<const io::Grid> m_input;
    Case m_case;
    Unknowns m_unknowns;
    std::unique_ptr<System> m_system;
    Method m_method = Method::multigrid;
    Stopping m_stopping;
    std::string m_mask;  ///< its name, or empty
    mutable std::mutex m_mutex;
    mutable std::optional<bool> m_finite;  ///< what finite() found
};

}  // namespace warplens::gpu::sparse
