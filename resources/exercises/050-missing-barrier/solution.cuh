// 3 x 3 mean from a tile with its halo.
// tunable block_width = 16 (16)
// tunable block_height = 16 (16)

__global__ void blur(const float* in, float* out, int width, int height) {
    __shared__ float tile[18][18];
    const int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1;
    const int thread = threadIdx.y * 16 + threadIdx.x;
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    for (int i = thread; i < 18 * 18; i += 256) {
        const int u = left + i % 18, v = top + i / 18;
        const bool inside = u >= 0 && v >= 0 && u < width && v < height;
        tile[i / 18][i % 18] = inside ? in[v * width + u] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) sum += tile[threadIdx.y + j][threadIdx.x + i];
    if (x < width && y < height) out[y * width + x] = sum / 9;
}
