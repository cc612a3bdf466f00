// Rows in, rows out, turned in a tile; a thread does four.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)
// tunable rows_per_thread = 4 (4)

__global__ void transpose(const float* in, float* out, int width, int height, int output_width, int output_height) {
    __shared__ float tile[32][33];
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int u = top + threadIdx.x, v = left + j;
        if (u < width && v < height) tile[j][threadIdx.x] = in[v * width + u];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int x = left + threadIdx.x, y = top + j;
        if (x < output_width && y < output_height) out[y * output_width + x] = tile[threadIdx.x][j];
    }
}
