// A thread a pixel of the frontier.
// tunable block_width = 128 (128)
// tunable block_height = 1 (1)

__global__ void level(const unsigned char* in, int* out, const int* frontier, int frontier_size, int* next,
                      int* changed, int step, int width, int height, float low, float high) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= frontier_size) return;
    const int p = frontier[t], x = p % width, y = p / width;
    for (int k = 0; k < 4; ++k) {
        const int u = x + (k == 0) - (k == 1), v = y + (k == 2) - (k == 3), q = v * width + u;
        if (u < 0 || u >= width || v < 0 || v >= height) continue;
        if (in[q] < low || in[q] > high) continue;
        if (atomicCAS(&out[q], -1, step) == -1) next[atomicAdd(changed, 1)] = q;
    }
}
