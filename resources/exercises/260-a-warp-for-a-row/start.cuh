// A thread a row.
// tunable block_width = 64 (64)
// tunable block_height = 1 (1)

__global__ void multiply(const float* in, float* out, int width, const int* row_starts, const int* columns,
                         const float* values) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    const int row = blockIdx.y * width + x;
    float sum = 0;
    for (int i = row_starts[row]; i < row_starts[row + 1]; ++i) sum += values[i] * in[columns[i]];
    out[row] = sum;
}
