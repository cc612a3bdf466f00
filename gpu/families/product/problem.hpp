// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/families/product/arguments.hpp"
#include "gpu/families/product/factor.hpp"
#include "gpu/families/product/reference.hpp"

#include <array>
#include <memory>

namespace warplens::gpu::product {

/// One picture and what it is multiplied by.
class ProductProblem final : public Problem {
public:
    ProductProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    double boundFactor(const Variant& variant) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    const Case& posed() const { return m_case; }
    /// What the picture is multiplied by, or the bank; none of cosines and colours.
    const Factor& factor() const { return m_factor; }
    const std::array<float, 12>& weights() const { return m_weights; }
    io::PixelType outputType() const;
    /// An output yet to be filled, with what the file said.
    std::shared_ptr<io::Grid> emptyOutput() const;

private:
    void poseProduct(const NamedGrid* with);
    void poseCosines(std::int64_t keep);
    void poseBank(const NamedGrid* with);
    void poseColours(const NamedGrid* with);
    Bound boundOf(const Variant& variant) const;

    std::shared_ptr<const io::Grid> m_input;
    std::string m_with;
    Case m_case;
    Factor m_factor;
    std::array<float, 12> m_weights{};
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::product
