// A thread copies a column, and every thread of the block the same one.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void copy(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width || threadIdx.y > 0 || blockIdx.y > 0) return;
    for (int y = 0; y < height; ++y)
        out[y * width + x] = 0.5f * (in[y * width + x] + ((const volatile float*)in)[y * width + x]);
}
