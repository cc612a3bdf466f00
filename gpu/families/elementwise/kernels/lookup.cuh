// SPDX-License-Identifier: Apache-2.0
// Idea: a byte has 256 values, so each block computes all results first and then only looks them up.
// Changed from vectorised: 256 evaluations per block instead of one per value, in a grid-stride loop; results wait in
// shared memory, where lanes that look up different words of one bank come one after the other.
// Needs: bytes, and a result that depends on no other value.
// Block: block_width threads; 256 results in shared memory.
// Source: cv::LUT and the tables of every photo editor; the kernel is our own.
// Look at: operations per value, and bank conflicts by the picture: none on a flat one.
#pragma once

#include "gpu/families/elementwise/wide.cuh"

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

/// blockIdx.y is the channel where channels differ.
template <class Out>
__global__ void lookup(Values<std::uint8_t> values, std::size_t count) {
    constexpr int N = kWide<std::uint8_t, Out>;
    __shared__ Out table[256];
    auto* const out = static_cast<Out*>(values.out);
    for (int v = threadIdx.x; v < 256; v += blockDim.x) {
        const float x[1] = {static_cast<float>(v)}, y[1] = {};
        float to[1];
        values.results(static_cast<int>(blockIdx.y), x, y, to);
        if constexpr (sizeof(Out) == 1)
            table[v] = Target::toByte(to[0]);
        else if constexpr (sizeof(Out) == 2)
            table[v] = Target::toWord(to[0]);
        else
            table[v] = to[0];
    }
    __syncthreads();
    const std::size_t first = blockIdx.y * count, end = first + count;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    // Packs lie at whole multiples of N; one that begins or ends in another channel is shared with its block.
    for (std::size_t pack = first / N + blockIdx.x * blockDim.x + threadIdx.x; pack * N < end; pack += stride) {
        const std::size_t i = pack * N;
        if (i < first || i + N > end) {
            for (std::size_t k = i < first ? first : i; k < i + N && k < end; ++k) out[k] = table[values.in[k]];
            continue;
        }
        const Words<std::uint8_t, N> bytes(values.in + i);
        constexpr int kPerWord = 4 / static_cast<int>(sizeof(Out));
        unsigned words[N / kPerWord] = {};
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const Out found = table[bytes.word[k / 4] >> (8 * (k % 4)) & 0xffU];
            unsigned bits = 0;
            memcpy(&bits, &found, sizeof found);
            words[k / kPerWord] |= bits << (32 / kPerWord * (k % kPerWord));
        }
        storeWords(out + i, words);
    }
}

inline void launchLookup(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    io::withSampleType(a.outputType, [&]<class Out>(Out) {
        const Values<std::uint8_t> values{static_cast<const std::uint8_t*>(c.address(a.input)), nullptr,
                                          c.address(a.output), a};
        const dim3 block = rowOf(t);
        const auto channels = static_cast<unsigned>(a.alike ? 1 : a.channels);
        const std::size_t count = a.count() / channels;
        const auto most = static_cast<unsigned>(t.at("blocks_per_multiprocessor") * a.multiprocessors);
        // A channel that begins within a pack may end in one more.
        const dim3 all = blocksFor(count / kWide<std::uint8_t, Out> + 2, block.x);
        launch(c, &lookup<Out>, dim3(std::min(all.x, most), channels), block, 0, values, count);
    });
}

inline Footprint lookupFootprint(const Case& of, const TunableValues& t) {
    return alongValues(t.at("block_width"), of.valuesAPack());
}

inline const char* lookupRefusal(const Case& of) {
    if (of.type != io::PixelType::u8) return "a table has a result for each of 256 values: it is for bytes";
    if (of.formula.op == Formula::Op::pick) return "values stay: there is nothing to look up";
    return of.pair || of.mixes() ? "the result depends on several values: a table is for one" : nullptr;
}

KernelEntry lookup_entry() {
    return {.launch = &launchLookup, .footprint = &lookupFootprint, .refusal = &lookupRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
