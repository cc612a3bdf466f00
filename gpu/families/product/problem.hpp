// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/families/product/arguments.hpp"
#include "gpu/families/product/factor.hpp"
#include "gpu/families/product/reference.hpp"
#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/picture_problem.hpp"
#include "gpu/frame/shared_parameters.hpp"

#include <array>
#include <memory>

namespace warplens::gpu::product {

/// What the user may choose.
struct Chosen {
    Task task{};
    std::shared_ptr<const NamedGrid> with{};
    int keep = 25;
    Alpha alpha{};
};
const BoundParameters<Chosen>& parameters();

/// What libraries see: products one after the other.
struct LibraryCase : Case {
    std::uint64_t input = 0, output = 0;
    std::vector<Multiplication> steps{};
};

class ProductProblem;
using ProductFrame = PictureProblem<ProductProblem, KernelEntry, LibraryCase, Bound (*)(const Case&)>;

/// The rows of variants.inc with their kernels and libraries.
const ProductFrame::Ladder& ladder();
/// What brings pictures into rows of whole quads on a device.
const StagingEntry& staging(const DeviceInfo& device);

/// One picture and what it is multiplied by.
class ProductProblem final : public ProductFrame, public Portable {
public:
    ProductProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    double boundFactor(const Variant& variant) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    const Portable* portable() const override { return this; }
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    std::unique_ptr<PortableSession> openPortable(const Variant& variant, const TunableValues& tunables) const override;
    PlainTask plainTask() const override;

    const Case& posed() const { return m_case; }
    /// What the picture is multiplied by, or the bank; none of cosines and colours.
    const Factor& factor() const { return m_factor; }
    const std::array<float, 12>& weights() const { return m_weights; }
    io::Shape outputShape() const override { return outputOf(m_case, m_input->shape()); }
    io::PixelType outputType() const override;
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;
    void poseProduct(const NamedGrid* with);
    void poseCosines(std::int64_t keep);
    void poseBank(const NamedGrid* with);
    void poseColours(const NamedGrid* with);
    Bound boundOf(const Variant& variant) const;

    std::string m_with;
    Case m_case;
    Factor m_factor;
    std::array<float, 12> m_weights{};
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::product
