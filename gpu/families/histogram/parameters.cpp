// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/problem.hpp"

#include <limits>

namespace warplens::gpu::histogram {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "bins",
          .title = "Bins",
          .type = Type::integer,
          .fallback = std::int64_t{Chosen::kBins},
          .minimum = 1,
          .maximum = kMostBins,
          .help = "How many bins of equal width the range is divided into."},
         &Chosen::bins},
        {{.id = "bin-width",
          .title = "Bin width",
          .type = Type::real,
          .fallback = 0.0,
          .minimum = 0,
          .maximum = std::numeric_limits<float>::max(),
          .help = "Width of a bin, instead of a number of bins; the last bin may be narrower. 0: the number of bins "
                  "decides.",
          .advanced = true},
         &Chosen::binWidth},
        {{.id = "range",
          .title = "Range",
          .role = Parameter::Role::valueRange,
          .type = Type::text,
          .fallback = std::string(),
          .help = "LO,HI: counts LO <= v < HI, everything else apart. Empty: an integer type's whole range; of floats "
                  "the smallest to "
                  "just above the largest finite value of all channels counted; half a unit to each side of a single "
                  "value."},
         &Chosen::range},
        {{.id = "channels",
          .title = "Channels",
          .type = Type::choice,
          .fallback = std::string("each"),
          .choices = {"each", "luminance"},
          .help = "Every channel by itself, alpha included; or 0.2126 R + 0.7152 G + 0.0722 B of the stored values, "
                  "computed in double "
                  "and rounded once to f32."},
         &Chosen::channels},
        {{.id = "region",
          .title = "Region",
          .role = Parameter::Role::box,
          .type = Type::text,
          .fallback = std::string(),
          .help = "X,Y,W,H: counts only this rectangle, of every slice of a volume; X,Y,Z,W,H,D: this box. Empty: "
                  "everything."},
         &Chosen::region},
        {{.id = "mask",
          .title = "Mask",
          .role = Parameter::Role::mask,
          .type = Type::picture,
          .fallback = std::shared_ptr<const NamedGrid>(),
          .help =
              "A picture of the same extents: only pixels where it is not zero are counted; its alpha is not looked "
              "at.",
          .advanced = true},
         &Chosen::mask},
    };
    return all;
}

}  // namespace warplens::gpu::histogram
