// SPDX-License-Identifier: Apache-2.0
// What wavefronts.csv was read of: one warp, one load or store from shared memory a launch, in the file's order.
//   nvcc -arch=native -o wavefronts wavefronts.cu && ncu --csv --page raw --clock-control none --metrics \
//     l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum \
//     ./wavefronts < wavefronts.csv
#include <cstdio>
#include <cstring>

struct Places {
    unsigned of[32];
};

__global__ void probe(Places places, unsigned lanes, int bytes, bool store, unsigned* out) {
    extern __shared__ __align__(128) unsigned char memory[];
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(memory)) + places.of[threadIdx.x] * bytes;
    unsigned a = 1, b = 2, c = 3, d = 4;
    if (lanes >> threadIdx.x & 1U) {
        if (store) {
            if (bytes == 4) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(a));
            if (bytes == 8) asm volatile("st.volatile.shared.v2.u32 [%0], {%1,%2};" ::"r"(at), "r"(a), "r"(b));
            if (bytes == 16)
                asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%2,%3,%4};" ::"r"(at), "r"(a), "r"(b), "r"(c),
                             "r"(d));
        } else {
            if (bytes == 4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(at));
            if (bytes == 8) asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
            if (bytes == 16)
                asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                             : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                             : "r"(at));
        }
    }
    out[threadIdx.x] = a + b + c + d;
}

int main() {
    unsigned* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(unsigned));
    char line[1024];
    while (std::fgets(line, sizeof line, stdin) != nullptr) {
        int store = 0, bytes = 0, read = 0;
        unsigned lanes = 0, wavefronts = 0;
        if (std::sscanf(line, "%d,%d,%x,%u,%n", &store, &bytes, &lanes, &wavefronts, &read) != 4) continue;
        Places places{};
        const char* rest = line + read;
        for (unsigned& place : places.of) {
            int length = 0;
            if (std::sscanf(rest, "%u%n", &place, &length) != 1) return 1;
            rest += length;
        }
        probe<<<1, 32, 16384>>>(places, lanes, bytes, store != 0, out);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
