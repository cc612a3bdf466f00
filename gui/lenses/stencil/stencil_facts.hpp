// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QString>
#include <array>
#include <optional>
#include <vector>

namespace warplens::gui {

/// What a stencil's parameters amount to.
struct StencilFacts {
    int dimensions = 3;
    /// Centre, x-1, x+1, y-1, y+1, z-1, z+1: 3, 5 or 7; of the 27-point stencil all of them in z, y, x order.
    std::vector<float> weights;
    double sum = 1;
    std::optional<double> stableStep;  ///< of heat: the largest step that is stable
    bool stable = true;
};

/// The operator that the parameters describe for a volume of `depth` slices, stable or not; absent with `why` filled
/// when they describe none.
std::optional<StencilFacts> stencilFacts(const gpu::ParameterValues& values, std::int64_t depth,
                                         QString* why = nullptr);

/// Weights as the parameter "coefficients" takes them; they read back as the same floats.
QString coefficientsText(const std::vector<float>& weights);

/// The parameter "regions" of the stencils with a box around a voxel held at a value: a twentieth of each axis to
/// either side, at least one voxel. The same box at another value is replaced; an axis of one voxel is left out.
/// Nothing when there are as many regions as there can be.
std::optional<QString> withRegion(const QString& regions, double value, const std::array<int, 3>& at,
                                  const std::array<int, 3>& extent);

}  // namespace warplens::gui
