// A pixel takes the least label of its row and of its column, as far as they go.

__device__ unsigned int leastAlong(const unsigned int* from, int i, int steps, int apart) {
    unsigned int least = from[i];
    for (int k = 1; k <= steps && from[i + k * apart] != 0; ++k) least = min(least, from[i + k * apart]);
    return least;
}

__global__ void spread(const unsigned int* from, unsigned int* out, int* changed, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const unsigned int label = from[y * width + x];
    unsigned int least = label;
    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); ++v)
        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); ++u) {
            const unsigned int other = from[v * width + u];
            if (other != 0 && other < least) least = other;
        }
    if (label != 0) {
        const int i = y * width + x;
        least = min(least, leastAlong(from, i, x, -1));
        least = min(least, leastAlong(from, i, width - 1 - x, 1));
        least = min(least, leastAlong(from, i, y, -width));
        least = min(least, leastAlong(from, i, height - 1 - y, width));
    }
    if (least != label) *changed = 1;
    out[y * width + x] = least;
}
