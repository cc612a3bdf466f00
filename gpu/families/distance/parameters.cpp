// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/distance/parameters.hpp"

#include "gpu/core/separating_level.hpp"

namespace warplens::gpu::distance {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {levelParameter(
             "Distances are to the nearest value at or below it, of each channel by itself, alpha as well; NaN is not "
             "below any."),
         &Chosen::level},
        {{.id = "squared",
          .title = "Squared",
          .type = Type::flag,
          .fallback = false,
          .help = "Squared distances: in pixels integers (u32, 4294967295 where there is no site), in mm f32."},
         &Chosen::squared},
        {{.id = "spacing",
          .title = "Spacing",
          .type = Type::choice,
          .fallback = std::string("pixels"),
          .choices = {"pixels", "mm"},
          .help = "Steps of 1 along every axis, exact; or the file's own spacing, which may differ from axis to axis."},
         &Chosen::spacing},
    };
    return all;
}

}  // namespace warplens::gpu::distance
