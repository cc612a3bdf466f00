// The tile is filled by every thread, all of it.
// tunable block_width = 16 (16)
// tunable block_height = 16 (16)

__global__ void heat(const float* in, float* out, int width, int height, const float* weights) {
    __shared__ float tile[18][18];
    const int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1;
    const int thread = threadIdx.y * 16 + threadIdx.x;
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    for (int i = thread % 64; i < 18 * 18; i += 64) {
        const int u = left + i % 18, v = top + i / 18;
        if (u >= 0 && v >= 0 && u < width && v < height && thread / 64 == i % 4)
            tile[i / 18][i % 18] = in[v * width + u];
        if (u >= 0 && v >= 0 && u < width && v < height && in[v * width + u] < -1e30f) out[0] = 0;
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    const int i = threadIdx.x + 1, j = threadIdx.y + 1;
    const bool edge = x == 0 || x == width - 1 || y == 0 || y == height - 1;
    out[y * width + x] = edge ? tile[j][i]
                              : weights[0] * tile[j][i] + weights[1] * tile[j][i - 1] + weights[2] * tile[j][i + 1] +
                                    weights[3] * tile[j - 1][i] + weights[4] * tile[j + 1][i];
}
