// SPDX-License-Identifier: Apache-2.0
#pragma once

// A product of floats on tensor cores that multiply bf16: both factors are split into parts of 8 bits before, and parts
// are multiplied whose product counts: three products of two parts, six of three.

#include "gpu/families/product/launching.cuh"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/tensor_cores.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

template <int kParts>
struct SplitPolicy {
    static constexpr int kTile = 128, kDeep = 16, kThreads = 256, kStages = 4;
    static constexpr int kWords = kDeep / 2;      ///< of a row: pairs of bf16
    static constexpr int kPart = kTile * kWords;  ///< words of a tile of one factor: 16 bytes a thread
    static constexpr int kStage = 2 * kParts * kPart;
    static constexpr std::size_t kBytes = 4 * kStages * kStage;
};

/// How the parts of a factor lie: part, then 16 terms, then rows (of B columns) filled up to whole tiles, then pairs.
struct SplitShape {
    int lines;   ///< rows or columns, in whole tiles
    int slices;  ///< of 16 terms

    __host__ __device__ std::int64_t words() const { return std::int64_t{slices} * lines * 8; }
};

inline SplitShape splitShape(int lines, int inner) { return {(lines + 127) / 128 * 128, (inner + 15) / 16}; }

/// A pair's parts, one after the other: what each lacks is the next one's.
template <int kParts>
__device__ void splitPair(float first, float second, unsigned (&parts)[kParts]) {
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
        parts[p] = toBf16Pair(first, second);
        first -= lowOf(parts[p]);
        second -= highOf(parts[p]);
    }
}

/// A's rows: a thread a pair, lanes along the row.
template <class T, int kParts>
__global__ void splitRows(const T* a, std::int64_t aRow, int rows, int inner, unsigned* to, SplitShape shape) {
    const int pair = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (pair >= shape.slices * 8 || row >= shape.lines) return;
    const auto at = [&](int k) { return row < rows && k < inner ? static_cast<float>(a[row * aRow + k]) : 0.0F; };
    unsigned parts[kParts];
    splitPair<kParts>(at(2 * pair), at(2 * pair + 1), parts);
    const std::int64_t word = (std::int64_t{pair / 8} * shape.lines + row) * 8 + pair % 8;
#pragma unroll
    for (int p = 0; p < kParts; ++p) to[p * shape.words() + word] = parts[p];
}

/// B's columns: a thread 16 terms of one, lanes side by side.
template <int kParts>
__global__ void splitColumns(const float* b, std::int64_t bRow, int inner, int columns, unsigned* to,
                             SplitShape shape) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, slice = blockIdx.y;
    if (column >= shape.lines) return;
    const auto at = [&](int k) { return column < columns && k < inner ? b[k * bRow + column] : 0.0F; };
    unsigned words[kParts][8];
#pragma unroll
    for (int pair = 0; pair < 8; ++pair) {
        unsigned parts[kParts];
        splitPair<kParts>(at(16 * slice + 2 * pair), at(16 * slice + 2 * pair + 1), parts);
#pragma unroll
        for (int p = 0; p < kParts; ++p) words[p][pair] = parts[p];
    }
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
        unsigned* const line = to + p * shape.words() + (std::int64_t{slice} * shape.lines + column) * 8;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float4 four;
            memcpy(static_cast<void*>(&four), &words[p][4 * half], sizeof four);
            *reinterpret_cast<float4*>(line + 4 * half) = four;
        }
    }
}

/// Two pairs of a row of a tile: terms 4 t to 4 t + 3, which the matrix's terms 2 t, 2 t + 1, 2 t + 8 and 2 t + 9 are,
/// in both factors alike.
__device__ inline void readPairs(const float* line, unsigned& low, unsigned& high) {
    const float2 both = *reinterpret_cast<const float2*>(line);
    memcpy(&low, &both.x, sizeof low);
    memcpy(&high, &both.y, sizeof high);
}

template <int kParts>
__global__ void __launch_bounds__(SplitPolicy<kParts>::kThreads, 2)
    multiplySplit(Matrices<float> m, const float* a, const float* b, SplitShape left, SplitShape right) {
    using P = SplitPolicy<kParts>;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int top = blockIdx.y * P::kTile, start = blockIdx.x * P::kTile;
    const int y = warp / 4 * 64, x = warp % 4 * 32;
    const auto fetch = [&](int slice) {
        if (slice < left.slices) {
            float* const to = dynamicShared + slice % P::kStages * P::kStage + threadIdx.x * 4;
#pragma unroll
            for (int p = 0; p < kParts; ++p) {
                copyAsync(to + p * P::kPart,
                          a + p * left.words() + (std::int64_t{slice} * left.lines + top) * 8 + threadIdx.x * 4);
                copyAsync(to + (kParts + p) * P::kPart,
                          b + p * right.words() + (std::int64_t{slice} * right.lines + start) * 8 + threadIdx.x * 4);
            }
        }
        commitCopies();
    };
#pragma unroll
    for (int slice = 0; slice < P::kStages - 1; ++slice) fetch(slice);
    const bool inside = top + y < m.rows && start + x < m.columns;  // all lanes of a warp alike
    float sum[4][4][4] = {};
#pragma unroll 1
    for (int slice = 0; slice < left.slices; ++slice) {
        awaitCopies<P::kStages - 2>();
        __syncthreads();  // this slice is there for all, and all are done with the one before
        fetch(slice + P::kStages - 1);
        if (!inside) continue;
        const float* const rows = dynamicShared + slice % P::kStages * P::kStage + (y + g) * P::kWords + 2 * t;
        const float* const columns =
            dynamicShared + slice % P::kStages * P::kStage + kParts * P::kPart + (x + g) * P::kWords + 2 * t;
        unsigned across[kParts][4][2];
#pragma unroll
        for (int p = 0; p < kParts; ++p)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                readPairs(columns + p * P::kPart + 8 * j * P::kWords, across[p][j][0], across[p][j][1]);
#pragma unroll
        for (int p = 0; p < kParts; ++p) {
            unsigned down[4][4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float* const line = rows + p * P::kPart + 16 * i * P::kWords;
                readPairs(line, down[i][0], down[i][2]);
                readPairs(line + 8 * P::kWords, down[i][1], down[i][3]);
            }
#pragma unroll
            for (int q = 0; q < kParts - p; ++q)
#pragma unroll
                for (int i = 0; i < 4; ++i)
#pragma unroll
                    for (int j = 0; j < 4; ++j) multiplyAddBf16(sum[i][j], down[i], across[q][j], sum[i][j]);
        }
    }
    awaitCopies<0>();
    const bool wide = m.wideStores();
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                m.storeTwo(top + y + 16 * i + 8 * half + g, start + x + 8 * j + 2 * t, sum[i][j][2 * half],
                           sum[i][j][2 * half + 1], wide);
}

/// Both factors are split layer by layer, and the room for that used again.
template <int kParts>
void launchSplit(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    using P = SplitPolicy<kParts>;
    const SplitShape left = splitShape(m.rows, m.inner), right = splitShape(m.columns, m.inner);
    auto* const a = static_cast<unsigned*>(c.address(m.scratch));
    unsigned* const b = a + kParts * left.words();
    const dim3 grid(static_cast<unsigned>(right.lines / P::kTile), static_cast<unsigned>(left.lines / P::kTile));
    for (int layer = 0; layer < m.layers; ++layer) {
        if (layer == 0 || m.a.layer != 0) {
            io::withSampleType(m.aType, [&]<class T>(T) {
                launch(c, &splitRows<T, kParts>, dim3(ceilDiv(left.slices * 8, 32), ceilDiv(left.lines, 8)),
                       dim3(32, 8), 0, matricesOf<T>(c, m).a + layer * m.a.layer, m.a.row, m.rows, m.inner, a, left);
            });
        }
        Matrices<float> of = matricesOf<float>(c, m);
        if (layer == 0 || m.b.layer != 0) {
            launch(c, &splitColumns<kParts>, dim3(ceilDiv(right.lines, 128), static_cast<unsigned>(right.slices)),
                   dim3(128), 0, of.b + layer * m.b.layer, m.b.row, m.inner, m.columns, b, right);
        }
        of.c = static_cast<char*>(of.c) + layer * m.c.layer * static_cast<std::int64_t>(io::sizeOf(m.cType));
        launch(c, &multiplySplit<kParts>, grid, dim3(P::kThreads), P::kBytes, of, reinterpret_cast<const float*>(a),
               reinterpret_cast<const float*>(b), left, right);
    }
}

template <int kParts>
std::size_t splitFloats(const Multiplication& m, const TunableValues&) {
    return static_cast<std::size_t>(kParts *
                                    (splitShape(m.rows, m.inner).words() + splitShape(m.columns, m.inner).words()));
}

inline Footprint splitFootprint(const Case&, const TunableValues&) {
    return tileFootprint(256, 128, 128, SplitPolicy<2>::kDeep);
}

/// Products are added by an addition each that is rounded to zero. Beyond 1e17, sums may overflow.
template <int kParts>
KernelEntry splitEntry(Bound (*bound)(const Case&, const TunableValues&)) {
    return {.multiply = &launchSplit<kParts>,
            .footprint = &splitFootprint,
            .multiplyScratch = &splitFloats<kParts>,
            .sharedBytes = [](const Case&, const TunableValues&) { return SplitPolicy<kParts>::kBytes; },
            .code = {kTensorCapability, [] { return reinterpret_cast<const void*>(&multiplySplit<kParts>); }},
            .bound = bound,
            .largestValue = 1e17F};
}

/// What the last part lacks of a value so small that it has fewer bits: up to 2^-133 of the other factor.
inline double splitAbsolute(const Case& asked) { return asked.inner() * 0x1p-132 * std::max(1.0, asked.largest()); }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
