// 3 x 3 mean from a tile.
// tunable block_width = 16 (16)
// tunable block_height = 16 (16)

__global__ void blur(const float* in, float* out, int width, int height) {
    __shared__ float tile[16][16];
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    // The tile is filled column by column.
    const int thread = threadIdx.y * 16 + threadIdx.x;
    const int u = blockIdx.x * 16 + thread / 16, v = blockIdx.y * 16 + thread % 16;
    tile[thread % 16][thread / 16] = u < width && v < height ? in[v * width + u] : 0;
    __syncthreads();
    float sum = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const int row = threadIdx.y + j, column = threadIdx.x + i;
            if (row >= 0 && row < 16 && column >= 0 && column < 16) sum += tile[row][column];
        }
    if (x < width && y < height) out[y * width + x] = sum / 9;
}
