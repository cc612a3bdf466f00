// A table for each block, of few values.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void count(const unsigned char* in, unsigned int* out, int width, int height) {
    __shared__ unsigned table[256];
    const int t = threadIdx.y * 32 + threadIdx.x;
    table[t] = 0;
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) atomicAdd(&table[in[y * width + x]], 1);
    __syncthreads();
    atomicAdd(&out[t], table[t]);
}
