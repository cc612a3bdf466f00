// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/parameters.hpp"

namespace warplens::gpu::sparse {

const std::vector<Parameter>& parameters() {
    using Type = Parameter::Type;
    static const std::vector<Parameter> list{
        {.id = "task",
         .title = "Task",
         .type = Type::choice,
         .fallback = std::string("product"),
         .choices = {"product"},
         .help = "product: a sparse matrix times the picture's pixels, f32."},
        {.id = "matrix",
         .title = "Matrix",
         .type = Type::choice,
         .fallback = std::string("laplacian"),
         .choices = {"laplacian", "diffusion", "filter"},
         .help = "laplacian: 4 times a pixel (6 in a volume) minus its neighbours, the outermost pixels kept. "
                 "diffusion: a step of Perona and Malik's, a weight for every pair of neighbours. filter: a binomial "
                 "filter of 5 x 5, zeros around the picture.",
         .onlyWhen = "task",
         .onlyWhenIn = {"product"}},
        {.id = "mask",
         .title = "Mask",
         .type = Type::picture,
         .fallback = std::shared_ptr<const NamedGrid>(),
         .help = "The unknowns, where it is above 0; as large as the picture, or a slice for all slices. product: the "
                 "laplacian's rows of these pixels, each minus its neighbours among them."},
        {.id = "k",
         .title = "Edge",
         .type = Type::real,
         .fallback = 10.0,
         .minimum = 1e-6,
         .maximum = 1e6,
         .step = 1,
         .help = "diffusion: neighbours that differ by d have the weight exp(-(d/k)^2).",
         .onlyWhen = "matrix",
         .onlyWhenIn = {"diffusion"}},
        {.id = "step",
         .title = "Step",
         .type = Type::real,
         .fallback = 0.15,
         .minimum = 0.001,
         .maximum = 1,
         .step = 0.05,
         .help = "diffusion: how far a step goes; stable up to 1/4, in a volume 1/6.",
         .onlyWhen = "matrix",
         .onlyWhenIn = {"diffusion"}},
    };
    return list;
}

}  // namespace warplens::gpu::sparse
