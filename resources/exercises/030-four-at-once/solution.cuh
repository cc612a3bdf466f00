// A thread copies four values of a row.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)
// tunable columns_per_thread = 4 (4)

__global__ void copy(const float* in, float* out, int width, int height) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    if (width % 4 == 0) {
        *reinterpret_cast<float4*>(out + i) = *reinterpret_cast<const float4*>(in + i);
        return;
    }
    for (int k = 0; k < 4 && x + k < width; ++k) out[i + k] = in[i + k];
}
