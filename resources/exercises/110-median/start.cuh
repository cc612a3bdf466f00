// A thread computes one value: the one that no more than four others are below.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void median(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    for (int k = 0; k < 9; ++k) {
        const float value = in[min(max(y + k / 3 - 1, 0), height - 1) * width + min(max(x + k % 3 - 1, 0), width - 1)];
        int smaller = 0, equal = 0;
        for (int m = 0; m < 9; ++m) {
            const float other =
                in[min(max(y + m / 3 - 1, 0), height - 1) * width + min(max(x + m % 3 - 1, 0), width - 1)];
            smaller += other < value;
            equal += other == value;
        }
        if (smaller <= 4 && 4 < smaller + equal) out[y * width + x] = value;
    }
}
