// SPDX-License-Identifier: Apache-2.0
// A family of one filter, over the frame that all families have: a picture's negative.
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/filter_problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::negative {

using KernelEntry = PictureKernel;
class NegativeProblem;
const FilterProblem<NegativeProblem>::Ladder& ladder();

#define WARPLENS_VARIANTS "tests/families/negative/variants.inc"
#include "gpu/kernels/kernel_table.inc"

namespace {

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> none;
    return none;
}

}  // namespace

class NegativeProblem final : public FilterProblem<NegativeProblem> {
public:
    NegativeProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
        : FilterProblem(std::move(input), ladder(), "to turn round") {
        validate(parameters(), values);
    }

    PictureCase posed() const { return pictureCaseOf(*m_input); }
    double exactAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const override {
        const auto type = m_input->type();
        const double top = type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
        const double exact = top - m_input->value(x, y, z, channel);
        return type == io::PixelType::f32 ? static_cast<float>(exact) : exact;
    }
};

const Family& family() {
    static const FamilyOf<NegativeProblem> instance(FamilyInfo{.id = "negative",
                                                               .title = "Negative",
                                                               .group = "Filter",
                                                               .task = "Light dark, dark light",
                                                               .makesPicture = true,
                                                               .volumes = true},
                                                    parameters(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::negative
