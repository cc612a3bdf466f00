// A thread a pixel of the picture, in every launch.

__global__ void level(const unsigned char* in, const int* from, int* out, int* changed, int step, int width, int height,
                      float low, float high) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    int steps = from[i];
    if (steps < 0 && in[i] >= low && in[i] <= high) {
        const bool reached = (x > 0 && from[i - 1] == step - 1) || (x + 1 < width && from[i + 1] == step - 1) ||
                             (y > 0 && from[i - width] == step - 1) || (y + 1 < height && from[i + width] == step - 1);
        if (reached) {
            steps = step;
            *changed = 1;
        }
    }
    out[i] = steps;
}
