// A block makes the running sums of one row.
// tunable block_width = 256 (256)
// tunable block_height = 1 (1)

__global__ void running(const float* in, float* out, int width) {
    __shared__ float sums[256];
    const int t = threadIdx.x;
    sums[t] = t < width ? in[blockIdx.y * width + t] : 0;
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        const float before = t >= apart ? sums[t - apart] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    if (t < width) out[blockIdx.y * width + t] = sums[t];
}
