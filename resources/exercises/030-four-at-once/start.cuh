// A thread copies four values of a row.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)
// tunable columns_per_thread = 4 (4)

__global__ void copy(const float* in, float* out, int width, int height) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= height) return;
    for (int i = x; i < x + 4 && i < width; ++i) out[y * width + i] = in[y * width + i];
}
