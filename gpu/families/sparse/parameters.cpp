// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/parameters.hpp"

#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::sparse {

const std::vector<Parameter>& parameters() {
    using Type = Parameter::Type;
    static const std::vector<Parameter> list{
        {.id = "task",
         .title = "Task",
         .type = Type::choice,
         .fallback = std::string("product"),
         .choices = {"product", "inpaint", "clone"},
         .help = "product: a sparse matrix times the picture's pixels, f32. inpaint: fills the mask from around it, by "
                 "Laplace's equation. clone: another picture's differences within the mask, by Poisson's equation."},
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
         .role = Parameter::Role::mask,
         .type = Type::picture,
         .fallback = std::shared_ptr<const NamedGrid>(),
         .help = "The unknowns, where it is above 0; as large as the picture, or a slice for all slices. product: the "
                 "laplacian's rows of these pixels, each minus its neighbours among them. clone without one: the whole "
                 "source, where it lies within the picture."},
        {.id = "source",
         .title = "Source",
         .type = Type::picture,
         .fallback = std::shared_ptr<const NamedGrid>(),
         .help = "The picture to clone, with the same number of channels.",
         .onlyWhen = "task",
         .onlyWhenIn = {"clone"}},
        {.id = "at",
         .title = "At",
         .type = Type::text,
         .fallback = std::string("0,0"),
         .help = "X,Y: the pixel where the first pixel of the source is placed.",
         .onlyWhen = "task",
         .onlyWhenIn = {"clone"}},
        {.id = "solver",
         .title = "Solver",
         .type = Type::choice,
         .fallback = std::string("multigrid"),
         .choices = {"jacobi", "cg", "multigrid"},
         .help = "jacobi: sweeps. cg: conjugate gradients. multigrid: conjugate gradients on V-cycles of 2 + 2 sweeps.",
         .onlyWhen = "task",
         .onlyWhenIn = {"inpaint", "clone"}},
        {.id = "tolerance",
         .title = "Tolerance",
         .role = Parameter::Role::stopTolerance,
         .type = Type::real,
         .fallback = 0.001,
         .minimum = 1e-6,
         .maximum = 0.5,
         .step = 0.001,
         .help = "Relative residual at which the solver stops.",
         .onlyWhen = "task",
         .onlyWhenIn = {"inpaint", "clone"}},
        {.id = "iterations",
         .title = "Iterations",
         .role = Parameter::Role::iterations,
         .type = Type::integer,
         .fallback = std::int64_t{1000},
         .minimum = 1,
         .maximum = 1000000,
         .help = "Maximum number of sweeps, steps or cycles.",
         .onlyWhen = "task",
         .onlyWhenIn = {"inpaint", "clone"}},
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
        alphaParameter("processed"),
    };
    return list;
}

}  // namespace warplens::gpu::sparse
