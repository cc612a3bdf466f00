// A thread counts one value.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void count(const unsigned char* in, unsigned int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    atomicAdd(&out[in[y * width + x]], 1);
}
