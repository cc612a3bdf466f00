// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/filter.hpp"
#include "gpu/families/convolution/problem.hpp"
#include "gpu/frame/family_of.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::convolution {
namespace {

/// Each filter as its defaults make it.
std::vector<std::vector<NameList::Value>> namedFilters() {
    std::vector<std::vector<NameList::Value>> rows;
    for (const std::string& name : filterNames()) {
        const Filter filter = makeFilter({{"filter", name}});
        rows.push_back({name, std::int64_t{filter.width}, std::int64_t{filter.height}, filter.sum(),
                        separate(filter).has_value()});
    }
    return rows;
}

class ConvolutionFamily final : public FamilyOf<ConvolutionProblem> {
public:
    using FamilyOf::FamilyOf;
    std::vector<NameList> lists() const override {
        return {{.id = "filters",
                 .columns = {{"Filter", {"id"}},
                             {"Size", {"width", "height"}},
                             {"Sum", {"sum"}},
                             {"Separable", {"separable"}}},
                 .rows = &namedFilters}};
    }
};

}  // namespace

const Family& family() {
    static const ConvolutionFamily instance(
        FamilyInfo{
            .id = "convolution",
            .title = "Convolution",
            .group = "Filter",
            .task = "Blur, sharpen, find edges",
            .makesPicture = true,
            .volumes = true,
            .swept = "radius",
            .moved =
                SliderBenchmark{
                    .from = {{"filter", std::string("gaussian")}, {"radius", std::int64_t{4}}, {"sigma", 1.0}},
                    .words = "gaussian of radius 4 and sigma 1",
                    .sliders = {{"sigma", 20}, {"radius", 4}}},
        },
        convolution::parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::convolution
