// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/parameters.hpp"

namespace warplens::gpu::product {

const std::vector<Parameter>& parameters() {
    using Type = Parameter::Type;
    static const std::vector<Parameter> list{
        {.id = "task",
         .title = "Task",
         .type = Type::choice,
         .fallback = std::string("product"),
         .choices = {"product", "dct", "bank", "colours"},
         .help = "product: the picture times a matrix, f32. dct: the cosine transform of whole channels, the highest "
                 "frequencies dropped, and back. bank: a slice for each of several filters, f32, zeros around the "
                 "picture. colours: red, green and blue become sums of the three."},
        {.id = "with",
         .title = "With",
         .type = Type::picture,
         .fallback = std::shared_ptr<const NamedGrid>(),
         .help = "product: the right factor, as high as the picture is wide (none: the picture's own transpose). bank: "
                 "n slices of k x k weights (none: 48 edges and lines of 15 x 15). colours: 3 x 3 weights, or 3 x 4 "
                 "with what is added, as a CSV file for one (none: sepia).",
         .onlyWhen = "task",
         .onlyWhenIn = {"product", "bank", "colours"}},
        {.id = "keep",
         .title = "Keep",
         .type = Type::integer,
         .fallback = std::int64_t{25},
         .minimum = 1,
         .maximum = 100,
         .unit = "%",
         .help = "How many of the frequencies along each axis are kept, lowest first.",
         .onlyWhen = "task",
         .onlyWhenIn = {"dct"}},
        {.id = "alpha",
         .title = "Alpha",
         .role = Parameter::Role::alpha,
         .type = Type::choice,
         .fallback = std::string("keep"),
         .choices = {"keep", "filter"},
         .help = "Whether the fourth channel is copied or transformed like the others.",
         .onlyWhen = "task",
         .onlyWhenIn = {"dct"},
         .advanced = true},
    };
    return list;
}

}  // namespace warplens::gpu::product
