// A thread makes one value.
// tunable block_width = 16 (16)
// tunable block_height = 16 (16)

__global__ void multiply(const float* in, const float* with, float* out, int output_width, int output_height,
                         int inner) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= output_width || y >= output_height) return;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += in[y * inner + k] * with[k * output_width + x];
    out[y * output_width + x] = sum;
}
