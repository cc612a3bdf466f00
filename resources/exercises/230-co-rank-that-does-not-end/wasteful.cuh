// Two sorted lists become one: a thread counts what comes before its value.
// tunable block_width = 64 (64)
// tunable block_height = 1 (1)

__global__ void merge(const float* in, float* out, int width, int first, int second) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= width) return;
    int place = k < first ? k : k - first;
    if (k < first)
        for (int j = 0; j < second; ++j) place += in[first + j] < in[k];
    else
        for (int i = 0; i < first; ++i) place += in[i] <= in[k];
    out[place] = in[k];
}
