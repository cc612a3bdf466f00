// Lanes ask one after the other: one sector a request, and as many requests as pixels.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void copy(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int lane = 0; lane < 32; ++lane) {
        if (threadIdx.x != lane || x >= width || y >= height) continue;
        out[y * width + x] = in[y * width + x];
    }
}
