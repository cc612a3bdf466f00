// A block makes 16 x 64 values from tiles, a thread four.
// tunable block_width = 16 (16)
// tunable block_height = 16 (16)
// tunable rows_per_thread = 4 (4)

__global__ void multiply(const float* in, const float* with, float* out, int output_width, int output_height,
                         int inner) {
    __shared__ float left[64][16], right[16][16];
    const int x = blockIdx.x * 16 + threadIdx.x, top = blockIdx.y * 64 + threadIdx.y;
    float sum[4] = {};
    for (int first = 0; first < inner; first += 16) {
        const int across = first + threadIdx.x, down = first + threadIdx.y;
        for (int r = 0; r < 4; ++r) {
            const int y = top + 16 * r;
            left[threadIdx.y + 16 * r][threadIdx.x] = y < output_height && across < inner ? in[y * inner + across] : 0;
        }
        right[threadIdx.y][threadIdx.x] = x < output_width && down < inner ? with[down * output_width + x] : 0;
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            for (int r = 0; r < 4; ++r) sum[r] += left[threadIdx.y + 16 * r][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    for (int r = 0; r < 4; ++r)
        if (x < output_width && top + 16 * r < output_height) out[(top + 16 * r) * output_width + x] = sum[r];
}
