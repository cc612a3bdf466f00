// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/problem.hpp"

namespace warplens::gpu::reduction {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "measure",
          .title = "Measure",
          .type = Type::choice,
          .fallback = std::string("statistics"),
          .choices = {"statistics", "comparison"},
          .help = "The picture's own statistics, or how far it is from another picture."},
         &Chosen::measure},
        {{.id = "with",
          .title = "With",
          .role = Parameter::Role::otherPicture,
          .type = Type::picture,
          .fallback = std::shared_ptr<const NamedGrid>(),
          .help = "The picture to compare with, of the same extents, channels and type; the peak of PSNR is its type's "
                  "largest value, of floats the span of its finite values.",
          .visibleWhen = "measure",
          .visibleWhenIn = {"comparison"}},
         &Chosen::with},
        {{.id = "along",
          .title = "Along",
          .type = Type::choice,
          .fallback = std::string("all"),
          .choices = {"all", "x", "y", "z"},
          .help = "all: a table of the whole; an axis: a picture of the other two, each value computed from one line "
                  "along that axis.",
          .visibleWhen = "measure",
          .visibleWhenIn = {"statistics"}},
         &Chosen::along},
        {{.id = "keep",
          .title = "Keep",
          .type = Type::choice,
          .fallback = std::string("maximum"),
          .choices = {"maximum", "minimum", "mean", "sum"},
          .help = "What is kept of a line: extremes in the picture's type, the mean as f32, the sum as u32 of integers "
                  "and as f32 of floats. NaN is left out.",
          .visibleWhen = "along",
          .visibleWhenIn = {"x", "y", "z"}},
         &Chosen::keep},
    };
    return all;
}

}  // namespace warplens::gpu::reduction
