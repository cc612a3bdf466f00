// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/pieces.hpp"
#include "gpu/families/layout/arguments.hpp"

namespace warplens::gpu::layout {

/// One picture and where its values go.
class LayoutProblem final : public Problem, public InPieces {
public:
    LayoutProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

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
    const InPieces* inPieces() const override { return this; }

    std::string onlyWhole() const override;
    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    std::unique_ptr<Problem> pieceOf(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PieceResults> emptyResults() const override;
    bool inPlace() const override { return !m_case.asked.swaps() && !m_case.asked.backwards[1]; }

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    const Case& posed() const { return m_case; }
    /// An output yet to be filled, with its place in space and what the file said.
    std::shared_ptr<io::Grid> emptyOutput() const;

private:
    std::shared_ptr<const io::Grid> m_input;
    ParameterValues m_values;
    std::string m_order;
    Case m_case;
};

}  // namespace warplens::gpu::layout
