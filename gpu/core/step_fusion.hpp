// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "io/grid.hpp"

#include <optional>
#include <string>

namespace warplens::gpu {

/// Two runs in a row as one.
struct FusedStep {
    ParameterValues parameters{};
    std::string words{};       ///< "rotate180", "7 steps"
    bool sameVariant = false;  ///< the bits are kept by one and the same variant; else by any
};

/// What Family::fuses() tells where one run of it can do what two in a row do, bit by bit.
class StepFusion {
public:
    virtual ~StepFusion() = default;
    /// Absent where it cannot be for these, on this picture.
    virtual std::optional<FusedStep> fused(const io::Grid& input, const ParameterValues& first,
                                           const ParameterValues& second) const = 0;
};

}  // namespace warplens::gpu
