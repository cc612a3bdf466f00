// A thread scales one value.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void brighten(const float* in, float* out, int width, int height, float gain, float offset) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = gain * in[y * width + x] + offset;
}
