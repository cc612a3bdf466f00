// A thread adds one value.
// tunable block_width = 256 (256)
// tunable block_height = 1 (1)

__global__ void add(const float* in, const float* with, float* out, int width) {
    // Which i is this thread's? And is there one?
    int i = threadIdx.x;
    out[i] = in[i] + with[i];
}
