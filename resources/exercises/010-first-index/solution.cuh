// One thread a pixel.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void copy(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = in[y * width + x];
}
