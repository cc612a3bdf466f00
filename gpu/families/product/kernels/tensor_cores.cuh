// SPDX-License-Identifier: Apache-2.0
// Idea: tensor cores multiply pairs of bf16; a float is two of them, and three products stand for one.
// Changed from double_buffered: both factors are split first, so that the loop only copies and multiplies.
// Needs: compute capability 8.0, finite values below 1e17. Splitting is timed as well. Its bound is its own.
// Block: 256 threads, 128 x 128 outputs, 64 x 32 per warp; 64 KiB of shared memory, 64 sums per thread.
// Source: Markidis et al., IPDPSW 2018, for the split; re-derived.
// Look at: storage of 32 bytes per row: half a warp reads 128 bytes in a row, and no bank twice.
#pragma once

#include "gpu/families/product/tensor_split.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// A bf16 has 8 bits, so a low part is up to 2^-8 of its value, and both parts together lack up to 2^-17 of it: 64 eps
/// of each factor, and 128 for the product of the low parts, which is not made. A byte is a bf16 as it stands, and 16
/// bits are two of them.
inline Bound twoPartsBound(const Case& asked, const TunableValues&) {
    double lacks = 256;
    if (asked.task == Task::product && asked.type == io::PixelType::u8) lacks = 64;
    if (asked.task == Task::product && asked.type == io::PixelType::u16) lacks = 192;
    return {.factor = 3, .lacks = lacks, .absolute = splitAbsolute(asked)};
}

KernelEntry tensor_cores_entry() { return splitEntry<2>(&twoPartsBound); }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
