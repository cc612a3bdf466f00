// SPDX-License-Identifier: Apache-2.0
// Idea: a work-group brings a tile of each factor to local memory and uses every value SIDE times.
// Changed from tiled.cuh: the language. Shared memory is __local, __syncthreads() a barrier with a fence.
// Needs: any product; what lies outside is filled with zeros.
// Work-group: 32 x 32 work-items, 8 KiB local.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 5.4; re-derived.
// Look at: both barriers: before the tiles are read, and before the next ones are written.

#define SIDE 32

__kernel void tiled(__global const T* a, __global const float* b, __global float* c, int rows, int inner, int columns,
                    int bRow, long bLayer) {
    __local float left[SIDE][SIDE];
    __local float right[SIDE][SIDE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_global_id(0), row = get_global_id(1);
    const size_t layer = get_global_id(2);
    a += (layer * rows + row) * inner;
    b += layer * bLayer + column;
    float sum = 0;
    for (int first = 0; first < inner; first += SIDE) {
        left[y][x] = row < rows && first + x < inner ? (float)a[first + x] : 0.0f;
        right[y][x] = column < columns && first + y < inner ? b[(size_t)(first + y) * bRow] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);  // both tiles are complete
        for (int k = 0; k < SIDE; ++k) sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);  // both are done with
    }
    if (column < columns && row < rows) c[(layer * rows + row) * columns + column] = sum;
}
