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
    setConstant(c, constantFilter, "warplens::gpu::convolution::constantFilter", a.weights->data(), a.weights->size());
}

/// The factors of a separable filter in constant memory: one row and one column, and in three dimensions one along z;
/// aligned, so that four can be read at once.
alignas(16) __constant__ float constantRow[128];
alignas(16) __constant__ float constantColumn[128];
alignas(16) __constant__ float constantStack[128];

static void prepareConstantFactors(LaunchContext& c, const Arguments& a) {
    setConstant(c, constantRow, "warplens::gpu::convolution::constantRow", a.row->data(), a.row->size());
    setConstant(c, constantColumn, "warplens::gpu::convolution::constantColumn", a.column->data(), a.column->size());
    setConstant(c, constantStack, "warplens::gpu::convolution::constantStack", a.stack->data(), a.stack->size());
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
