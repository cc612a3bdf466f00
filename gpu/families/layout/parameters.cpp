// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/parameters.hpp"

namespace warplens::gpu::layout {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "task",
          .title = "Task",
          .type = Type::choice,
          .fallback = std::string("transpose"),
          .choices = {"copy", "transpose", "rotate90", "rotate180", "rotate270", "flip-x", "flip-y", "reslice",
                      "planar", "interleaved", "offset", "stride", "crop"},
          .help =
              "Turns are clockwise and slice by slice; flip-x swaps left and right, flip-y top and bottom. reslice "
              "puts the axes of a volume in another order. planar makes a slice of each channel, interleaved brings "
              "three or four of them together again. offset reads each row from a later value on, around its end; "
              "stride keeps one value of several, crop a rectangle."},
         &Chosen::task},
        {{.id = "order",
          .title = "Order of axes",
          .type = Type::choice,
          .fallback = std::string("yzx"),
          .choices = {"zyx", "zxy", "yzx", "yxz", "xzy", "xyz"},
          .help =
              "Which old axes become the new z, y and x: yzx makes coronal slices of axial ones, xzy sagittal ones.",
          .visibleWhen = "task",
          .visibleWhenIn = {"reslice"}},
         &Chosen::order},
        {{.id = "step",
          .title = "Step",
          .type = Type::integer,
          .fallback = std::int64_t{2},
          .minimum = 1,
          .maximum = 1024,
          .unit = "values",
          .help = "By how many values along the row the reads are misaligned (offset) or apart (stride).",
          .visibleWhen = "task",
          .visibleWhenIn = {"offset", "stride"}},
         &Chosen::step},
        {{.id = "box",
          .title = "Rectangle",
          .role = Parameter::Role::box,
          .type = Type::text,
          .fallback = std::string(),
          .help = "X,Y,W,H in pixels, of every slice of a volume: what is kept, as far as it lies in the picture. "
                  "Empty: everything.",
          .example = "16,16,200,120",
          .visibleWhen = "task",
          .visibleWhenIn = {"crop"}},
         &Chosen::box},
    };
    return all;
}

}  // namespace warplens::gpu::layout
