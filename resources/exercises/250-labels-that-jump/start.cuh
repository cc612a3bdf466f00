// A pixel takes the least label around it.

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
    if (least != label) *changed = 1;
    out[y * width + x] = least;
}
