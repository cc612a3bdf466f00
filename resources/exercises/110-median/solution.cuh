// A thread orders nine values in registers.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)

__device__ void order(float& a, float& b) {
    const float low = fminf(a, b);
    b = fmaxf(a, b);
    a = low;
}

__global__ void median(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int columns[3] = {max(x - 1, 0), x, min(x + 1, width - 1)};
    float v[3][3];
    for (int j = 0; j < 3; ++j) {
        const int row = min(max(y + j - 1, 0), height - 1) * width;
        for (int i = 0; i < 3; ++i) v[j][i] = in[row + columns[i]];
        order(v[j][0], v[j][1]);
        order(v[j][1], v[j][2]);
        order(v[j][0], v[j][1]);
    }
    float low = fmaxf(fmaxf(v[0][0], v[1][0]), v[2][0]);
    float high = fminf(fminf(v[0][2], v[1][2]), v[2][2]);
    float a = v[0][1], b = v[1][1], middle = v[2][1];
    order(a, b);
    middle = fmaxf(a, fminf(b, middle));
    order(low, high);
    out[y * width + x] = fmaxf(low, fminf(high, middle));
}
