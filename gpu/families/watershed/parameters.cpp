// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/watershed/parameters.hpp"

#include "gpu/core/separating_level.hpp"

namespace warplens::gpu::watershed {

namespace {

Parameter dimensions() {
    Parameter made = dimensionsParameter();
    made.fallback = std::string("3");
    made.help = "3 splits a volume as a whole, 2 slice by slice, as the pictures of a film.";
    return made;
}

}  // namespace

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
                  "this, measured from the middle to the edge, in pixels of the finest axis.",
          .reaches = [](const ParameterValues&) { return 10.0; }},
         &Chosen::tolerance},
        {dimensions(), &Chosen::dimensions},
        {{.id = "spacing",
          .title = "Spacing",
          .type = Parameter::Type::choice,
          .fallback = std::string("file"),
          .choices = {"file", "pixels"},
          .help = "How long steps along x, y and z are beside each other: as the file has it, or all the same.",
          .advanced = true},
         &Chosen::spacing},
    };
    return all;
}

}  // namespace warplens::gpu::watershed
