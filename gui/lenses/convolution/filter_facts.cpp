// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/convolution/filter_facts.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/convolution/filter.hpp"

#include <utility>

namespace warplens::gui {

namespace convolution = gpu::convolution;

std::vector<float> FilterFacts::slice(int z) const {
    const std::ptrdiff_t size = std::ptrdiff_t{width} * height;
    return {weights.begin() + z * size, weights.begin() + (z + 1) * size};
}

std::optional<FilterFacts> filterFacts(const gpu::ParameterValues& values, QString* why) {
    try {
        convolution::Filter filter = convolution::makeFilter(values);
        FilterFacts facts;
        facts.width = filter.width;
        facts.height = filter.height;
        facts.sum = filter.sum();
        facts.separable = convolution::separate(filter).has_value();
        facts.residualUlp = convolution::rankOneResidualUlp(filter);
        facts.depth = filter.depth;
        facts.weights = std::move(filter.weights);
        return facts;
    } catch (const gpu::Error& e) {
        if (why != nullptr) *why = QString::fromUtf8(e.what());
        return std::nullopt;
    }
}

}  // namespace warplens::gui
