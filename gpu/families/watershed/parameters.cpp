// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/watershed/parameters.hpp"

#include "gpu/core/separating_level.hpp"

namespace warplens::gpu::watershed {

const BoundParameters<Chosen>& parameters() {
    static const BoundParameters<Chosen> all{
        {levelParameter("A pixel is inside where each of its channels but alpha is above it; NaN is never inside."),
         &Chosen::level},
        {{.id = "tolerance",
          .title = "Tolerance",
          .type = Parameter::Type::real,
          .fallback = 0.5,
          .minimum = 0,
          .maximum = 1000,
          .step = 0.5,
          .unit = "px",
          .help = "Two parts are one where the neck between them is narrower than the thinner part by no more than "
                  "this, measured from the middle to the edge.",
          .reaches = [](const ParameterValues&) { return 10.0; }},
         &Chosen::tolerance},
    };
    return all;
}

}  // namespace warplens::gpu::watershed
