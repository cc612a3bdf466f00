// SPDX-License-Identifier: Apache-2.0
// Idea: the work-group stages what its outputs share in local memory; it is as large as the staged input tile.
// Changed from tiled_input.cuh: the language. Shared memory is local memory, which comes as an argument;
//     __syncthreads() is a barrier that names the memory it orders; constant memory is an argument's address space.
// Needs: a filter smaller than the work-group in both directions; any picture, any border.
// Work-group: block_width x block_height work-items, 4 block_width block_height bytes local.
// Source: Kirk and Hwu, 4th ed., section 7.4, figure 7.12; re-derived.
// Look at: the return after the barrier: before it, work-items of the group would wait for ever.

__kernel void tiled_input(__global const T* in, __constant float* filter, __global U* out, int width, int height,
                          int filterWidth, int filterHeight, int border, float offset, __local float* tile) {
    const int tileWidth = get_local_size(0) - (filterWidth - 1);
    const int tileHeight = get_local_size(1) - (filterHeight - 1);
    const int column = (int)get_local_id(0) - filterWidth / 2;
    const int row = (int)get_local_id(1) - filterHeight / 2;
    const int x = (int)get_group_id(0) * tileWidth + column;
    const int y = (int)get_group_id(1) * tileHeight + row;

    const size_t plane = get_group_id(2) * (size_t)width * height;
    const int pitch = get_local_size(0);
    tile[get_local_id(1) * pitch + get_local_id(0)] = at(in + plane, x, y, width, height, border);
    barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete

    if (column < 0 || column >= tileWidth || row < 0 || row >= tileHeight || x >= width || y >= height) return;
    float sum = 0;
    for (int j = 0; j < filterHeight; ++j) {
        for (int i = 0; i < filterWidth; ++i)
            sum += filter[j * filterWidth + i] * tile[(row + j) * pitch + column + i];
    }
    out[plane + (size_t)y * width + x] = STORE(sum + offset);
}
