// SPDX-License-Identifier: Apache-2.0

// Largest |a - b| over `count` values as the bits of a float, joined to result by maximum: floats that are not negative
// order as their bits do, and a NaN lies above infinity.
__kernel void change(__global const float* a, __global const float* b, long count, __global uint* result) {
    const long i = get_global_id(0);
    if (i < count) atomic_max(result, as_uint(fabs(a[i] - b[i])));
}
