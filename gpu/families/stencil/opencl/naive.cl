// SPDX-License-Identifier: Apache-2.0
// Idea: one work-item, one cell; every neighbour is read from global memory.
// Changed from naive.cuh: the language. The pattern is a list of offsets and weights instead of a template.
// Needs: any pattern, any extent.
// Work-group: block_width x block_height x block_depth work-items (depth 1 below 3D), no local memory.
// Source: Kirk and Hwu, 4th ed., section 8.2, figure 8.6; re-derived.
// Look at: the address spaces: global for cells, constant for what all work-items read alike.

// Whether a cell keeps its value: on an outermost face of an axis in use, or in a box that is held.
bool keeps(int x, int y, int z, int width, int height, int depth, int axes, int boxes, __constant int* box) {
    if (x <= 0 || x >= width - 1) return true;
    if (axes > 1 && (y <= 0 || y >= height - 1)) return true;
    if (axes > 2 && (z <= 0 || z >= depth - 1)) return true;
    for (int i = 0; i < boxes; ++i, box += 6)
        if (x >= box[0] && x <= box[3] && y >= box[1] && y <= box[4] && z >= box[2] && z <= box[5]) return true;
    return false;
}

__kernel void naive(__global const float* in, __global float* out, int width, int height, int depth, int fields,
                    int axes, int taps, __constant float* weights, __constant long* offsets, int boxes,
                    __constant int* box) {
    const int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    const int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    const int z = get_group_id(2) * get_local_size(2) + get_local_id(2);  // through the slices of all fields
    if (x >= width || y >= height || z >= depth * fields) return;
    const size_t i = ((size_t)z * height + y) * width + x;
    __global const float* here = in + i;
    if (keeps(x, y, z % depth, width, height, depth, axes, boxes, box)) {
        out[i] = *here;
        return;
    }
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum = fma(weights[k], here[offsets[k]], sum);
    out[i] = sum;
}
