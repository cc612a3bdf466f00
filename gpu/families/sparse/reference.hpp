// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/sparse/arguments.hpp"
#include "gpu/families/sparse/unknowns.hpp"
#include "io/grid.hpp"

#include <memory>
#include <stop_token>

namespace warplens::gpu::sparse {

/// One value of A x in double, straight from the pixels around it, and how far a sum in f32 may be off.
struct Exact {
    double value = 0, bound = 0;
};
Exact productAt(const io::Grid& picture, const Case& of, const Unknowns& unknowns, std::int64_t x, std::int64_t y,
                std::int64_t z, int channel);

/// Every value of `output` against productAt(). Throws Error(cancelled).
Verification verifyProduct(const io::Grid& output, const io::Grid& picture, const Case& of, const Unknowns& unknowns,
                           const std::stop_token& stop);

}  // namespace warplens::gpu::sparse
