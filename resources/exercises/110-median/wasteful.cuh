// A thread puts nine values in order by exchanging neighbours, with a question each.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__global__ void median(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float v[9];
    for (int k = 0; k < 9; ++k) {
        const float value = in[min(max(y + k / 3 - 1, 0), height - 1) * width + min(max(x + k % 3 - 1, 0), width - 1)];
        int at = k;
        while (at > 0 && v[at - 1] > value) {
            v[at] = v[at - 1];
            --at;
        }
        v[at] = value;
    }
    out[y * width + x] = v[4];
}
