// The list times itself, by one block.
// tunable block_width = 256 (256)
// tunable block_height = 1 (1)

__global__ void dot(const float* in, const float* with, float* out, int inner) {
    if (threadIdx.x > 0) return;
    float sum = 0;
    for (int i = 0; i < inner; ++i) sum += in[i] * with[i];
    out[0] = sum;
}
