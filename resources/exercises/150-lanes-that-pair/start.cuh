// A block adds up one row.
// tunable block_width = 256 (256)
// tunable block_height = 1 (1)
// tunable columns_per_thread = 2 (2)

__global__ void sums(const unsigned char* in, unsigned int* out, int width) {
    __shared__ unsigned part[256];
    const int t = threadIdx.x;
    unsigned sum = 0;
    for (int i = t; i < width; i += 256) sum += in[blockIdx.y * width + i];
    part[t] = sum;
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        if (t % (2 * apart) == 0) part[t] += part[t + apart];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.y] = part[0];
}
