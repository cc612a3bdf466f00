// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/bilateral/parameters.hpp"

namespace warplens::gpu::bilateral {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "radius",
          .title = "Radius",
          .type = Type::integer,
          .fallback = std::int64_t{5},
          .minimum = 1,
          .maximum = 50,
          .unit = "px",
          .help = "Of the disc of pixels that are averaged.",
          .reaches = [](const ParameterValues&) { return 15.0; }},
         &Chosen::radius},
        {{.id = "sigma-space",
          .title = "Sigma in space",
          .type = Type::real,
          .fallback = 3.0,
          .minimum = 0.1,
          .maximum = 100,
          .step = 0.5,
          .unit = "px",
          .help = "How quickly a pixel's weight falls with its distance.",
          .reaches = [](const ParameterValues&) { return 15.0; }},
         &Chosen::sigmaSpace},
        {{.id = "sigma-value",
          .title = "Sigma in value",
          .type = Type::real,
          .fallback = 10.0,
          .minimum = 0.01,
          .maximum = 1000000,
          .step = 1,
          .unit = "%",
          .help = "How quickly a pixel's weight falls with its difference, in percent of the type's full range (of "
                  "floats 1); colours differ by the sum over their channels.",
          .reaches = [](const ParameterValues&) { return 50.0; }},
         &Chosen::sigmaValue},
        {borderParameter(Border::reflect), &Chosen::border},
        {alphaParameter("averaged"), &Chosen::alpha},
    };
    return all;
}

}  // namespace warplens::gpu::bilateral
