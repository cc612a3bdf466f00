// A thread scales four neighbours.
// tunable block_width = 32 (32)
// tunable block_height = 8 (8)
// tunable columns_per_thread = 4 (4)

__global__ void brighten(const float* in, float* out, int width, int height, float gain, float offset) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float4 v = *reinterpret_cast<const float4*>(in + y * width + x);
    v.x = gain * v.x + offset;
    v.y = gain * v.y + offset;
    v.z = gain * v.z + offset;
    v.w = gain * v.w + offset;
    *reinterpret_cast<float4*>(out + y * width + x) = v;
}
