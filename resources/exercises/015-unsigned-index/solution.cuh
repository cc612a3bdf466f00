// 3 x 3 mean; outside, the nearest pixel.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void blur(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const int u = min(max(x + i, 0), width - 1);
            const int v = min(max(y + j, 0), height - 1);
            sum += in[v * width + u];
        }
    out[y * width + x] = sum / 9;
}
