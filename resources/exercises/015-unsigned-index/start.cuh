// 3 x 3 mean; outside, the nearest pixel.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void blur(const float* in, float* out, int width, int height) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (unsigned j = 0; j < 3; ++j)
        for (unsigned i = 0; i < 3; ++i) {
            const unsigned u = min(max(x + i - 1, 0u), width - 1u);
            const unsigned v = min(max(y + j - 1, 0u), height - 1u);
            sum += in[v * width + u];
        }
    out[y * width + x] = sum / 9;
}
