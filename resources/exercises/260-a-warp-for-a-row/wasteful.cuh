// A warp a row, each lane a stretch of it.
// tunable block_width = 64 (64)
// tunable block_height = 1 (1)

__global__ void multiply(const float* in, float* out, int width, const int* row_starts, const int* columns,
                         const float* values) {
    const int lane = threadIdx.x % 32;
    const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
    for (int x = first; x < min(first + 32, width); ++x) {
        const int row = blockIdx.y * width + x;
        float sum = 0;
        // Every lane goes through the row, and adds what is its own.
        for (int i = row_starts[row]; i < row_starts[row + 1]; ++i) {
            const float product = values[i] * in[columns[i]];
            if (i % 32 == lane) sum += product;
        }
        for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
        if (lane == 0) out[row] = sum;
    }
}
