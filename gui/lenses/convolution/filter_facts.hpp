// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QString>
#include <optional>
#include <vector>

namespace warplens::gui {

/// What a convolution's parameters amount to: the weights and what they are like. Everything here is computed exactly.
struct FilterFacts {
    int width = 1, height = 1;
    int depth = 1;                     ///< slices; above 1 the filter works in three dimensions
    std::vector<float> weights{1.0F};  ///< slice by slice, row-major
    double sum = 1;
    bool separable = true;
    double residualUlp = 0;

    std::vector<float> slice(int z) const;
};

/// The filter that the parameters describe; absent with `why` filled when they describe none (a half-typed matrix).
std::optional<FilterFacts> filterFacts(const gpu::ParameterValues& values, QString* why = nullptr);

}  // namespace warplens::gui
