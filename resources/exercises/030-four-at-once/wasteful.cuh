// One lane of four copies, so that there are few requests, each with gaps.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void copy(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= height || threadIdx.x % 4 > 0) return;
    for (int i = x; i < x + 4 && i < width; ++i) out[y * width + i] = in[y * width + i];
}
