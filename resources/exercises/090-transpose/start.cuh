// One thread a pixel of the output.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void transpose(const float* in, float* out, int width, int height, int output_width, int output_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= output_width || y >= output_height) return;
    out[y * output_width + x] = in[x * width + y];
}
