// SPDX-License-Identifier: Apache-2.0
// Idea: one work-item computes one output and reads everything it needs from global memory, the weights too.
// Changed from naive.cuh: the language. A thread is a work-item, a block a work-group; memory says its address space.
// Needs: an odd filter up to 63 x 63; any picture, any border.
// Work-group: block_width x block_height work-items, no local memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 7.2; re-derived.
// Look at: T and U, the types of the values, which are names given to the compiler when the picture is known.

__kernel void naive(__global const T* in, __global const float* filter, __global U* out, int width, int height,
                    int filterWidth, int filterHeight, int border, float offset) {
    const int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    const int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x >= width || y >= height) return;
    const size_t plane = get_group_id(2) * (size_t)width * height;
    const int left = x - filterWidth / 2;
    const int top = y - filterHeight / 2;
    float sum = 0;
    for (int j = 0; j < filterHeight; ++j) {
        for (int i = 0; i < filterWidth; ++i)
            sum += filter[j * filterWidth + i] * at(in + plane, left + i, top + j, width, height, border);
    }
    out[plane + (size_t)y * width + x] = STORE(sum + offset);
}
