// A block makes 16 x 16 values from tiles.
// tunable block_width = 16 (16)
// tunable block_height = 16 (16)

__global__ void multiply(const float* in, const float* with, float* out, int output_width, int output_height,
                         int inner) {
    __shared__ float left[16][16], right[16][16];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < inner; first += 16) {
        const int across = first + threadIdx.x, down = first + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = y < output_height && across < inner ? in[y * inner + across] : 0;
        right[threadIdx.y][threadIdx.x] = x < output_width && down < inner ? with[down * output_width + x] : 0;
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    if (x < output_width && y < output_height) out[y * output_width + x] = sum;
}
