// Neighbouring threads are far from each other.
// tunable block_width = 256 (256)
// tunable block_height = 1 (1)

__global__ void add(const float* in, const float* with, float* out, int width) {
    const int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i >= width) return;
    out[i] = in[i] + with[i];
}
