// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/arguments.hpp"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// The weights in constant memory, row-major: every thread of a warp reads the same one, which the constant cache
/// gives to all at once. One copy a translation unit, so a copy a variant.
__constant__ float constantFilter[63 * 63];

// static, not inline: each unit must fill its own copy.
static void prepareConstantFilter(LaunchContext& c, const Arguments& a) {
    setConstant(c, constantFilter, a.weights->data(), a.weights->size());
}

/// The factors of a separable filter in constant memory: one row and one column; aligned, so that four can be read at
/// once.
alignas(16) __constant__ float constantRow[64];
alignas(16) __constant__ float constantColumn[64];

static void prepareConstantFactors(LaunchContext& c, const Arguments& a) {
    setConstant(c, constantRow, a.row->data(), a.row->size());
    setConstant(c, constantColumn, a.column->data(), a.column->size());
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
