// A block makes the running sums of one row.
// tunable block_width = 256 (256)
// tunable block_height = 1 (1)

__global__ void running(const float* in, float* out, int width) {
    __shared__ float part[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float sum = t < width ? in[blockIdx.y * width + t] : 0;
    for (int apart = 1; apart < 32; apart *= 2) {
        const float before = __shfl_up_sync(0xffffffffu, sum, apart);
        if (lane >= apart) sum += before;
    }
    if (lane == 31) part[warp] = sum;
    __syncthreads();
    for (int before = 0; before < warp; ++before) sum += part[before];
    if (t < width) out[blockIdx.y * width + t] = sum;
}
