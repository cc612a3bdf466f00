// A thread scales four neighbours, one after the other.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)
// tunable columns_per_thread = 4 (4)

__global__ void brighten(const float* in, float* out, int width, int height, float gain, float offset) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int k = 0; k < 4; ++k)
        if (x + k < width && y < height) out[y * width + x + k] = gain * in[y * width + x + k] + offset;
}
