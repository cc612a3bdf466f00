// A warp a row, 32 rows one after the other.
// tunable block_width = 64 (64)
// tunable block_height = 1 (1)

__global__ void multiply(const float* in, float* out, int width, const int* row_starts, const int* columns,
                         const float* values) {
    const int lane = threadIdx.x % 32;
    const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
    for (int x = first; x < min(first + 32, width); ++x) {
        const int row = blockIdx.y * width + x;
        float sum = 0;
        for (int i = row_starts[row] + lane; i < row_starts[row + 1]; i += 32) sum += values[i] * in[columns[i]];
        for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
        if (lane == 0) out[row] = sum;
    }
}
