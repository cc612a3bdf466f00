// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/problem.hpp"

namespace warplens::gpu::product {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    Parameter alpha = alphaParameter("transformed");
    alpha.visibleWhen = "task";
    alpha.visibleWhenIn = {"dct"};
    static const BoundParameters<Chosen> all{
        {{.id = "task",
          .title = "Task",
          .type = Type::choice,
          .fallback = std::string("product"),
          .choices = {"product", "dct", "bank", "colours"},
          .help = "product: the picture times a matrix, f32. dct: the cosine transform of whole channels, the highest "
                  "frequencies dropped, and back. bank: a slice for each of several filters, f32, zeros around the "
                  "picture. colours: red, green and blue become sums of the three."},
         &Chosen::task},
        {{.id = "with",
          .title = "With",
          .type = Type::picture,
          .fallback = std::shared_ptr<const NamedGrid>(),
          .help =
              "product: the right factor, as high as the picture is wide (none: the picture's own transpose). bank: "
              "n slices of k x k weights (none: 48 edges and lines of 15 x 15). colours: 3 x 3 weights, or 3 x 4 "
              "with what is added, as a CSV file for one (none: sepia).",
          .visibleWhen = "task",
          .visibleWhenIn = {"product", "bank", "colours"}},
         &Chosen::with},
        {{.id = "keep",
          .title = "Keep",
          .type = Type::integer,
          .fallback = std::int64_t{25},
          .minimum = 1,
          .maximum = 100,
          .unit = "%",
          .help = "How many of the frequencies along each axis are kept, lowest first.",
          .visibleWhen = "task",
          .visibleWhenIn = {"dct"}},
         &Chosen::keep},
        {alpha, &Chosen::alpha},
    };
    return all;
}

}  // namespace warplens::gpu::product
