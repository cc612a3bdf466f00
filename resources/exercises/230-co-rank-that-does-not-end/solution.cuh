// Two sorted lists become one: a thread finds the values of its place.
// tunable block_width = 64 (64)
// tunable block_height = 1 (1)

// How many of the first k values come from a.
__device__ int co_rank(int k, const float* a, int m, const float* b, int n) {
    int low = max(0, k - n), high = min(k, m);
    while (low < high) {
        const int i = (low + high) / 2;
        if (a[i] <= b[k - i - 1])
            low = i + 1;
        else
            high = i;
    }
    return low;
}

__global__ void merge(const float* in, float* out, int width, int first, int second) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= width) return;
    const float* const a = in;
    const float* const b = in + first;
    const int i = co_rank(k, a, first, b, second), j = k - i;
    out[k] = i < first && (j >= second || a[i] <= b[j]) ? a[i] : b[j];
}
