// SPDX-License-Identifier: Apache-2.0
// What lies outside a picture, for OpenCL kernels: gpu/kernels/border.cuh in that language. T is the type of the values.

// The index inside 0..n-1 that stands for i, or -1 where the border is zero (0); replicate is 1, reflect 2, wrap 3.
int remap(int i, int n, int border) {
    if (i >= 0 && i < n) return i;
    switch (border) {
        case 1: return i < 0 ? 0 : n - 1;
        case 2: {
            if (n == 1) return 0;
            const int period = 2 * (n - 1);
            i %= period;
            if (i < 0) i += period;
            return i < n ? i : period - i;
        }
        case 3: {
            i %= n;
            return i < 0 ? i + n : i;
        }
    }
    return -1;
}

// The value of a plane at (x, y), read with the border.
float at(__global const T* plane, int x, int y, int width, int height, int border) {
    x = remap(x, width, border);
    y = remap(y, height, border);
    return x < 0 || y < 0 ? 0.0f : convert_float(plane[(size_t)y * width + x]);
}
