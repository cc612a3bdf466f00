// A block counts in a table of its own.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)
// tunable rows_per_thread = 8 (8)

__global__ void count(const unsigned char* in, unsigned int* out, int width, int height) {
    __shared__ unsigned table[256];
    const int t = threadIdx.y * 32 + threadIdx.x;
    table[t] = 0;
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rows_per_thread; ++k) {
        const int y = (blockIdx.y * rows_per_thread + k) * blockDim.y + threadIdx.y;
        if (x < width && y < height) atomicAdd(&table[in[y * width + x]], 1);
    }
    __syncthreads();
    if (table[t] > 0) atomicAdd(&out[t], table[t]);
}
