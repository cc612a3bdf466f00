// One thread a pixel.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void copy(const float* in, float* out, int width, int height) {
    // The blocks cover the picture across and down; within a block the threads go down first.
    const int first = blockIdx.x * blockDim.x;
    const int top = blockIdx.y * blockDim.y;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int x = first + thread / blockDim.y;
    const int y = top + thread % blockDim.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = in[y * width + x];
}
