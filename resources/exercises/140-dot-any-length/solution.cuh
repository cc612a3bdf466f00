// The list times itself, by one block.
// tunable block_width = 256 (256)
// tunable block_height = 1 (1)

__global__ void dot(const float* in, const float* with, float* out, int inner) {
    __shared__ float sums[256];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < inner; i += 256) sum += in[i] * with[i];
    sums[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0) out[0] = sums[0];
}
