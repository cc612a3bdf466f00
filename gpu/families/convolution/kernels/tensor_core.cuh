// SPDX-License-Identifier: Apache-2.0
// Idea: eight outputs of a row are a product of the row with a band of weights, so tensor cores can make them.
// Changed from streamed: sums grow by matrix products; each value is split into two of bf16, and three products stand
// for one. From bytes to bytes only the weights are split, into two of f16, and two products do (tensor_bytes.cuh).
// Needs: compute capability 8.0, a filter up to 15 x 15, finite values, and sums below 3.37e38.
// Block: 32 x block_height threads; a warp has 128 columns and rows_per_thread rows, and 8 rows of a ring in shared
// memory.
// Source: Markidis et al., IPDPSW 2018, for the split; the banded product re-derived.
// Look at: band(): where a weight stands in the matrix; most of what tensor cores multiply by is zero at small radii.
#pragma once

#include "gpu/families/convolution/tensor_bytes.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

struct TensorPolicy {
    static constexpr int kRing = 8;               ///< rows that are under way to a warp; a power of two
    static constexpr int kSmall = 4, kLarge = 7;  ///< radii that are built; others are filled with zeros
};

/// Values of a picture's row that a warp needs.
template <int R>
constexpr int bandRow = kBandColumns - 8 + 16 * Band<R>::kSlices;

/// A pair of values as the sum of two pairs of bf16.
struct Split {
    unsigned high, low;
    __device__ Split() : high(0), low(0) {}
    __device__ Split(float first, float second)
        : high(toBf16Pair(first, second)), low(toBf16Pair(first - lowOf(high), second - highOf(high))) {}
};

/// Brings the rows of a picture that a warp needs to its ring: from column `left` on, a row after the other from row y
/// on. Plain: four floats at a time, without waiting, and what lies outside the picture belongs to the frame. Else a
/// value at a time by the border.
template <int R, class T, bool Plain>
struct RowFeed {
    static constexpr int kRow = bandRow<R>, kQuads = kRow / kQuad;
    const Plane<T, Plain>& in;
    int left, y;
    int first, second;  ///< where the lane's quads begin in a row of the picture

    __device__ RowFeed(const Plane<T, Plain>& plane, int column, int row)
        : in(plane),
          left(column),
          y(row),
          first(within(column + static_cast<int>(threadIdx.x) * kQuad, 0, plane.pitch() - kQuad)),
          second(within(column + static_cast<int>(threadIdx.x + kLanes) * kQuad, 0, plane.pitch() - kQuad)) {}

    __device__ void next(float* row) {
        if constexpr (Plain) {
            const float* const line = in.data + static_cast<std::size_t>(within(y, 0, in.height - 1)) * in.pitch();
            copyAsync(row + threadIdx.x * kQuad, line + first);
            if (threadIdx.x + kLanes < kQuads) copyAsync(row + (threadIdx.x + kLanes) * kQuad, line + second);
        } else {
            constexpr int kTurns = (kRow + kLanes - 1) / kLanes;
            float value[kTurns];  // all loads are under way at once
#pragma unroll
            for (int n = 0; n < kTurns; ++n) value[n] = in.at(left + static_cast<int>(threadIdx.x) + n * kLanes, y);
#pragma unroll
            for (int n = 0; n < kTurns; ++n) {
                const int i = static_cast<int>(threadIdx.x) + n * kLanes;
                if (i < kRow) row[i] = value[n];
            }
        }
        ++y;
        commitCopies();
    }
};

/// Pair h that a lane holds of slice s of row j of the filter as a band: column n of the matrix holds the weights of
/// output n, shifted down by n.
template <int R>
__device__ Split bandPair(const Weighting& weights, int j, int s, int h) {
    const int g = static_cast<int>(threadIdx.x) / 4, t = static_cast<int>(threadIdx.x) % 4;
    const int dx = 16 * s + 8 * h + 2 * t - Band<R>::kPad - g;
    return {weights.at(j - R, dx), weights.at(j - R, dx + 1)};
}

/// One of the three products that stand for one: a value's high part and a weight's low one, the other way round, and
/// both high ones.
__device__ inline void addTerm(int term, float (&sum)[4], const Split (&values)[4], const Split (&band)[2],
                               const float (&before)[4]) {
    unsigned left[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) left[q] = term == 1 ? values[q].low : values[q].high;
    const unsigned right[2] = {term == 0 ? band[0].low : band[0].high, term == 0 ? band[1].low : band[1].high};
    multiplyAddBf16(sum, left, right, before);
}

/// The outputs near the edge, whose values come by the border.
template <int R>
__device__ void writeFloatFrame(const Source<float, true>& source, const TargetOf<true>& out, const Frame& frame,
                                const Weighting& weights) {
    const auto column = [](int s, int i) {
        return 16 * s + i / 2 * 8 + 2 * (static_cast<int>(threadIdx.x) % 4) + i % 2;
    };
    const auto add = [&](int j, const FrameRow<R, float>& row, float(&sum)[4]) {
#pragma unroll
        for (int s = 0; s < Band<R>::kSlices; ++s) {
            Split values[4], band[2];
#pragma unroll
            for (int q = 0; q < 4; ++q) {
                const float(&four)[4] = row[q % 2][s];
                values[q] = Split(four[q / 2 * 2], four[q / 2 * 2 + 1]);
            }
#pragma unroll
            for (int h = 0; h < 2; ++h) band[h] = bandPair<R>(weights, j, s, h);
#pragma unroll
            for (int term = 0; term < 3; ++term) addTerm(term, sum, values, band, sum);
        }
    };
    writeBandFrame<R>(source, frame, column, add,
                      [&](int x, int y, const float(&two)[2]) { out.streamTwo(blockIdx.z, x, y, two); });
}

template <class T, int R, bool Plain>
__global__ void __launch_bounds__(kLanes* kBandWarps, R > TensorPolicy::kSmall ? 2 : 4)
    tensor_core(Source<T, Plain> source, TargetOf<Plain> out, Frame frame, Weighting weights, int rows) {
    constexpr int kSide = 2 * R + 1, kSlices = Band<R>::kSlices, kPad = Band<R>::kPad, kRing = TensorPolicy::kRing;
    alignas(16) __shared__ float ring[kBandWarps][kRing][bandRow<R>];
    if constexpr (Plain) {
        if (frame.isBlock()) return writeFloatFrame<R>(source, out, frame, weights);
    }
    const Plane<T, Plain> in = source.plane(blockIdx.z);
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int x = blockIdx.x * kBandColumns;
    const int begin = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * rows;
    const int first = frame.firstRow(begin), last = frame.lastRow(begin + rows);
    auto& held = ring[threadIdx.y];
    if (first >= last) return;  // all lanes of a warp together

    Split band[kSide][kSlices][2];
#pragma unroll
    for (int j = 0; j < kSide; ++j) {
#pragma unroll
        for (int s = 0; s < kSlices; ++s) {
#pragma unroll
            for (int h = 0; h < 2; ++h) band[j][s][h] = bandPair<R>(weights, j, s, h);
        }
    }

    RowFeed<R, T, Plain> feed(in, x - kPad, first - R);
#pragma unroll 1
    for (int ahead = 0; ahead < kRing - 1; ++ahead) feed.next(held[ahead]);
    const auto take = [&](int turn, float2(&pairs)[kSlices][4]) {
        const float* const row = held[turn % kRing] + 8 * g + 2 * t;
#pragma unroll
        for (int s = 0; s < kSlices; ++s) {
#pragma unroll
            for (int q = 0; q < 4; ++q) {
                pairs[s][q] = *reinterpret_cast<const float2*>(row + 16 * s + q % 2 * 64 + q / 2 * 8);
            }
        }
    };
    awaitCopies<kRing - 2>();
    __syncwarp();  // the first row is there for all lanes
    float2 arriving[kSlices][4];
    take(0, arriving);

    const int column = x + 8 * g + 2 * t;
    const bool inner[2] = {frame.inner<2>(column), frame.inner<2>(column + 64)};
    float sum[kSide + 1][4] = {};  // sum k is of row y - R + k once they have moved; the last one stays 0
#pragma unroll 1
    for (int y = first - R, turn = 0; y < last + R; ++y, ++turn) {
        Split values[kSlices][4];
#pragma unroll
        for (int s = 0; s < kSlices; ++s) {
#pragma unroll
            for (int q = 0; q < 4; ++q) values[s][q] = Split(arriving[s][q].x, arriving[s][q].y);
        }
        awaitCopies<kRing - 3>();
        __syncwarp();  // the next row is there for all lanes, and all have this one in registers
        feed.next(held[(turn + kRing - 1) % kRing]);
        take(turn + 1, arriving);  // while the products of this row are made

        // Term by term and not sum by sum: what follows a product then does not wait for it.
#pragma unroll
        for (int s = 0; s < kSlices; ++s) {
#pragma unroll
            for (int term = 0; term < 3; ++term) {
#pragma unroll
                for (int k = 0; k < kSide; ++k) {
                    // The first product moves the sum up.
                    addTerm(term, sum[k], values[s], band[kSide - 1 - k][s], sum[s > 0 || term > 0 ? k : k + 1]);
                }
            }
        }
        if (y - R < first) continue;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int at = column + 64 * half;
            const float two[2] = {sum[0][2 * half], sum[0][2 * half + 1]};
            if constexpr (Plain) {
                if (inner[half]) out.streamTwo(blockIdx.z, at, y - R, two);
            } else {
                if (out.contains(at, y - R)) out.store(blockIdx.z, at, y - R, two[0]);
                if (out.contains(at + 1, y - R)) out.store(blockIdx.z, at + 1, y - R, two[1]);
            }
        }
    }
}

inline Footprint tensorFootprint(const Arguments& a, const TunableValues& t) {
    const int h = t.at("block_height"), rx = a.filterWidth / 2, ry = a.filterHeight / 2;
    Footprint tile{.blockWidth = kLanes,
                   .blockHeight = h,
                   .tileWidth = kBandColumns,
                   .tileHeight = h * t.at("rows_per_thread"),
                   .haloX = rx,
                   .haloY = ry,
                   .haloThroughCache = true};
    if (servesBytes(a)) return tile;
    tile.stagedLeft = tile.stagedRight = rx;
    tile.stagedTop = tile.stagedBottom = ry;
    tile.staged = true;
    tile.haloThroughCache = false;
    return tile;
}

template <class T, int R>
void launchTensorCore(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(kLanes, t.at("block_height"));
    const int rows = t.at("rows_per_thread");
    const Weighting weights{static_cast<const float*>(c.address(a.filter)), a.filterWidth, a.filterHeight};
    const auto gridOf = [&](unsigned layers) {
        return dim3(ceilDiv(a.width, kBandColumns), ceilDiv(a.height, static_cast<int>(block.y) * rows), layers);
    };
    if constexpr (std::is_same_v<T, float>) {
        if (servesPlainly<float>(a, R, kQuad)) {
            forLayers<T, true>(c, a, [&](const Source<T, true>& in, const TargetOf<true>& out, unsigned layers) {
                dim3 grid = gridOf(layers);
                const auto frame = addBandFrame(a, R, grid, block.y);
                launch(c, &tensor_core<T, R, true>, grid, block, 0, in, out, frame, weights, rows);
            });
            return;
        }
    }
    forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
        launch(c, &tensor_core<T, R, false>, gridOf(layers), block, 0, in, out, noFrame(a), weights, rows);
    });
}

inline void launchTensorCores(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    if (servesBytes(a)) return launchTensorBytes(c, a, t);
    const auto byRadius = [&]<class T>(T) {
        const bool small = std::max(a.filterWidth, a.filterHeight) <= 2 * TensorPolicy::kSmall + 1;
        return small ? launchTensorCore<T, TensorPolicy::kSmall>(c, a, t)
                     : launchTensorCore<T, TensorPolicy::kLarge>(c, a, t);
    };
    io::withSampleType(a.inputType, byRadius);
}

/// Whether four values are loaded at once where rows begin at multiples of four; else it goes a value at a time
/// whatever the pitch.
inline bool tensorTakesPaddedRows(const Arguments& a) {
    Arguments padded = a;
    padded.pitch = static_cast<int>(ceilDiv(a.width, kQuad)) * kQuad;
    return servesBytes(padded) ||
           (a.inputType == io::PixelType::f32 && servesPlainly<float>(padded, TensorPolicy::kLarge, kQuad));
}

/// Three products a tap are added, each sum rounded to zero: 3 (taps + 1) eps of sum |w x|. To that comes what a
/// product lacks. A bf16 has 8 bits, so a low part is up to 2^-8 of its value, and both parts together lack up to 2^-17
/// of it: a weight's 64 eps, a value's 64, and 128 for the product of the low parts, which is not made. A byte is a
/// bf16 as it stands, and 16 bits are two of them. A value that is so small that its low part has fewer bits lacks up
/// to 2^-133.
inline Bound tensorBound(const Arguments& a) {
    const double taps = static_cast<double>(a.weights->size());
    double lacks = 0, tiny = 0;
    if (servesBytes(a)) {
        lacks = 2;  // 2^-22 of a weight
    } else {
        lacks = a.inputType == io::PixelType::u8 ? 64 : a.inputType == io::PixelType::u16 ? 192 : 256;
        if (a.inputType == io::PixelType::f32)
            for (const float w : *a.weights) tiny += 0x1p-133 * std::fabs(w);
    }
    return {.factor = 3 + lacks / (taps + 1), .absolute = tiny};
}

KernelEntry tensor_core_entry() {
    return {.launch = &launchTensorCores,
            .footprintOf = &tensorFootprint,
            .march = [](io::PixelType, int,
                        int) { return March{.leastRows = 16, .granule = 16, .lead = 8, .frameWaits = true}; },
            .paddedRows = &tensorTakesPaddedRows,
            .code = {kTensorCapability,
                     [] { return reinterpret_cast<const void*>(&tensor_core<float, TensorPolicy::kSmall, true>); }},
            .largestFilter = 2 * TensorPolicy::kLarge + 1,
            .largestValue = 3.375e38F,    // a bf16 above it, times another, may be infinite
            .smallestWeight = 0x1p-117F,  // below, its low part has fewer bits than are counted on
            .bound = &tensorBound};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
