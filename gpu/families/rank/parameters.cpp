// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/rank/problem.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::rank {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "radius",
          .title = "Radius",
          .type = Type::integer,
          .fallback = std::int64_t{1},
          .minimum = 1,
          .maximum = kMaxRadius,
          .unit = "px",
          .help = "Pixels to each side of the centre; the window is 2r + 1 wide and high. With 3 dimensions 1 or 2."},
         &Chosen::radius},
        {{.id = "task",
          .title = "Task",
          .type = Type::choice,
          .fallback = std::string("rank"),
          .choices = {"rank", "open", "close", "top-hat", "black-hat", "gradient"},
          .help =
              "rank: the percentile of each window; open: an erosion, then a dilation of its result, which removes "
              "bright specks; close: a dilation, then an erosion, which fills dark gaps; top-hat: the picture minus "
              "its opening, without the background that is wider than the window; black-hat: the closing minus the "
              "picture; gradient: the dilation minus the erosion, which leaves edges."},
         &Chosen::task},
        {{.id = "percentile",
          .title = "Percentile",
          .type = Type::real,
          .fallback = 50.0,
          .minimum = 0,
          .maximum = 100,
          .step = 5,
          .unit = "%",
          .help = "Which of the window's sorted values is the result: 0 the smallest (erosion), 50 the median, 100 the "
                  "largest (dilation). Between them the nearest rank, not interpolated: of n sorted values the one at "
                  "floor(percentile / 100 (n - 1) + 0.5), counted from 0.",
          .visibleWhen = "task",
          .visibleWhenIn = {"rank"}},
         &Chosen::percentile},
        {{.id = "shape",
          .title = "Shape",
          .type = Type::choice,
          .fallback = std::string("square"),
          .choices = {"square", "cross"},
          .help = "The window: a square, in three dimensions a cube; or a cross of the centre and its axes."},
         &Chosen::shape},
        {dimensionsParameter(), &Chosen::dimensions},
        {borderParameter(Border::replicate), &Chosen::border},
        {alphaParameter("filtered"), &Chosen::alpha},
    };
    return all;
}

}  // namespace warplens::gpu::rank
