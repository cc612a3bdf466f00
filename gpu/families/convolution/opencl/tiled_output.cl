// SPDX-License-Identifier: Apache-2.0
// Idea: the work-group is as large as the tile it writes; the larger tile it stages is loaded in several turns.
// Changed from tiled_output.cuh: the language; here the staging loop stands in the kernel itself.
// Needs: an odd filter up to 63 x 63; any picture, any border.
// Work-group: block_width x block_height work-items, 4 (w + 2rx)(h + 2ry) bytes local.
// Source: Kirk and Hwu, 4th ed., section 7.4, exercise 8; re-derived.
// Look at: the loop that fills the tile: work-items are numbered through, so that rows need not fit the work-group.

__kernel void tiled_output(__global const T* in, __constant float* filter, __global U* out, int width, int height,
                           int filterWidth, int filterHeight, int border, float offset, __local float* tile) {
    const int stagedWidth = get_local_size(0) + filterWidth - 1;
    const int stagedHeight = get_local_size(1) + filterHeight - 1;
    const int left = (int)(get_group_id(0) * get_local_size(0)) - filterWidth / 2;
    const int top = (int)(get_group_id(1) * get_local_size(1)) - filterHeight / 2;

    // Work-items are numbered through: a row of the tile need not fit a row of the work-group.
    const size_t plane = get_group_id(2) * (size_t)width * height;
    const int items = get_local_size(0) * get_local_size(1);
    for (int k = get_local_id(1) * get_local_size(0) + get_local_id(0); k < stagedWidth * stagedHeight; k += items)
        tile[k] = at(in + plane, left + k % stagedWidth, top + k / stagedWidth, width, height, border);
    barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete

    const int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    const int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = 0; j < filterHeight; ++j) {
        for (int i = 0; i < filterWidth; ++i)
            sum += filter[j * filterWidth + i] * tile[(get_local_id(1) + j) * stagedWidth + get_local_id(0) + i];
    }
    out[plane + (size_t)y * width + x] = STORE(sum + offset);
}
