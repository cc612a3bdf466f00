// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/convolution/filter_facts.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/convolution/filter.hpp"

namespace warplens::gui {

namespace convolution = gpu::convolution;

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
        const auto slice = static_cast<std::ptrdiff_t>(filter.width) * filter.height;
        const auto middle = filter.weights.begin() + filter.depth / 2 * slice;
        facts.weights.assign(middle, middle + slice);
        return facts;
    } catch (const gpu::Error& e) {
        if (why != nullptr) *why = QString::fromUtf8(e.what());
        return std::nullopt;
    }
}

}  // namespace warplens::gui
