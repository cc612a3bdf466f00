// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/nlmeans/parameters.hpp"

namespace warplens::gpu::nlmeans {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "patch-radius",
          .title = "Patch radius",
          .type = Type::integer,
          .fallback = std::int64_t{2},
          .minimum = 1,
          .maximum = 5,
          .unit = "px",
          .help = "Of the squares that are compared, each with a pixel in its middle."},
         &Chosen::patch},
        {{.id = "search-radius",
          .title = "Search radius",
          .type = Type::integer,
          .fallback = std::int64_t{5},
          .minimum = 1,
          .maximum = 15,
          .unit = "px",
          .help = "Of the square around a pixel whose pixels are averaged."},
         &Chosen::search},
        {{.id = "strength",
          .title = "Strength",
          .type = Type::real,
          .fallback = 4.0,
          .minimum = 0.01,
          .maximum = 1000000,
          .step = 0.5,
          .unit = "%",
          .help = "How unlike a patch may be and still count, h of Buades, Coll and Morel: a weight falls to 1/e where "
                  "the root of the mean squared difference is h; in percent of the type's full range (of floats 1).",
          .reaches = [](const ParameterValues&) { return 20.0; }},
         &Chosen::strength},
        {{.id = "noise",
          .title = "Noise",
          .type = Type::real,
          .fallback = 0.0,
          .minimum = 0,
          .maximum = 1000000,
          .step = 0.5,
          .unit = "%",
          .help =
              "Standard deviation of the noise, in the same percent, where it is known: twice its variance is taken "
              "off each squared difference.",
          .reaches = [](const ParameterValues&) { return 20.0; }},
         &Chosen::noise},
        {borderParameter(Border::reflect), &Chosen::border},
        {alphaParameter("averaged"), &Chosen::alpha},
    };
    return all;
}

}  // namespace warplens::gpu::nlmeans
