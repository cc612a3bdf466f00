// 3 x 3 mean, no tile.
// tunable block_width = 16 (16)
// tunable block_height = 16 (16)

__global__ void blur(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height) sum += in[(y + j) * width + x + i];
    out[y * width + x] = sum / 9;
}
