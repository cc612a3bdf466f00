// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/resample/parameters.hpp"

namespace warplens::gpu::resample {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    const auto ofRotations = [](Parameter parameter) {
        parameter.visibleWhen = "task";
        parameter.visibleWhenIn = {"rotate"};
        return parameter;
    };
    const auto ofSizes = [](Parameter parameter) {
        parameter.visibleWhen = "task";
        parameter.visibleWhenIn = {"resize"};
        return parameter;
    };
    static const BoundParameters<Chosen> all{
        {{.id = "task",
          .title = "Task",
          .type = Type::choice,
          .fallback = std::string("resize"),
          .choices = {"resize", "rotate"},
          .help = "Make a picture of another size, or rotate it about its middle."},
         &Chosen::task},
        {{.id = "method",
          .title = "Method",
          .role = Parameter::Role::filter,
          .type = Type::choice,
          .fallback = std::string("bilinear"),
          .choices = {"nearest", "bilinear", "catmull-rom", "bicubic", "lanczos", "area"},
          .help =
              "How a pixel of the result is made of those about its place: catmull-rom is the cubic filter of a = "
              "-0.5, "
              "bicubic OpenCV's of -0.75, lanczos has 3 lobes; area, which only resizes, takes the mean of what the "
              "pixel covers."},
         &Chosen::method},
        {ofSizes({.id = "magnification",
                  .title = "Magnification",
                  .type = Type::real,
                  .fallback = 0.5,
                  .minimum = 0.001,
                  .maximum = 64,
                  .step = 0.1,
                  .help = "Of width and height, where neither is given.",
                  .reaches = [](const ParameterValues&) { return 4.0; }}),
         &Chosen::magnification},
        {ofSizes({.id = "width",
                  .title = "Width",
                  .type = Type::integer,
                  .fallback = std::int64_t{0},
                  .minimum = 0,
                  .maximum = 65535,
                  .help = "Pixels of the result; 0 follows from the height, or from the magnification."}),
         &Chosen::width},
        {ofSizes({.id = "height",
                  .title = "Height",
                  .type = Type::integer,
                  .fallback = std::int64_t{0},
                  .minimum = 0,
                  .maximum = 65535,
                  .help = "Pixels of the result; 0 follows from the width, or from the magnification."}),
         &Chosen::height},
        {{.id = "antialias",
          .title = "Antialias",
          .type = Type::flag,
          .fallback = true,
          .help = "Where an axis shrinks, the filter is widened by as much, so that every pixel counts.",
          .visibleWhen = "method",
          .visibleWhenIn = {"bilinear", "catmull-rom", "bicubic", "lanczos"},
          .advanced = true},
         &Chosen::antialias},
        {ofRotations({.id = "angle",
                      .title = "Angle",
                      .type = Type::real,
                      .fallback = 10.0,
                      .minimum = -360,
                      .maximum = 360,
                      .step = 0.5,
                      .unit = "degrees",
                      .help = "Clockwise."}),
         &Chosen::angle},
        {ofRotations({.id = "canvas",
                      .title = "Canvas",
                      .type = Type::choice,
                      .fallback = std::string("grow"),
                      .choices = {"grow", "keep"},
                      .help = "Whether the result holds all of the rotated picture, or has the extents that it had."}),
         &Chosen::canvas},
        {ofRotations(borderParameter(Border::zero)), &Chosen::border},
    };
    return all;
}

}  // namespace warplens::gpu::resample
