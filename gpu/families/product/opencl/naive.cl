// SPDX-License-Identifier: Apache-2.0
// Idea: one work-item computes one output, a row of the left factor times a column of the right one.
// Changed from coalesced.cuh: the language. A work-item asks for its place with get_global_id().
// Needs: any product.
// Work-group: block_width x block_height work-items, no local memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 3.4; re-derived.
// Look at: the three address spaces that a pointer names, and T, the type of the left factor's values.

__kernel void naive(__global const T* a, __global const float* b, __global float* c, int rows, int inner, int columns,
                    int bRow, long bLayer) {
    const int column = get_global_id(0), row = get_global_id(1);
    if (column >= columns || row >= rows) return;
    const size_t layer = get_global_id(2);
    a += (layer * rows + row) * inner;
    b += layer * bLayer + column;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += a[k] * b[(size_t)k * bRow];
    c[(layer * rows + row) * columns + column] = sum;
}
