// SPDX-License-Identifier: Apache-2.0
// Idea: three bf16 are all 24 bits of a float, and six of their nine products all that counts.
// Changed from tensor_cores: twice the products, and the accuracy of single precision.
// Needs: compute capability 8.0, finite values below 1e17. Splitting is timed as well. Its bound is its own.
// Block: 256 threads, 128 x 128 outputs, 64 x 32 per warp; 96 KiB of shared memory, 64 sums per thread.
// Source: Henry, Tang and Heinecke, Leveraging the bfloat16 Artificial Intelligence Datatype, ARITH 2019; re-derived.
// Look at: operations: six times the product's own, at more than six times the rate.
#pragma once

#include "gpu/families/product/tensor_split.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// Nothing is lost of a value. A middle part is up to 2^-8 of its value and a last one up to 2^-16: of the products
/// that are not made two are up to 2^-24, and one 2^-32.
inline Bound threePartsBound(const Case& asked, const TunableValues&) {
    return {.factor = 6, .lacks = 1.01, .absolute = splitAbsolute(asked)};
}

KernelEntry tensor_cores_exact_entry() { return splitEntry<3>(&threePartsBound); }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
