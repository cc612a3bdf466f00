// SPDX-License-Identifier: Apache-2.0
#pragma once

// tensor_core from bytes to bytes. A byte is a small f16 as it stands, so only weights are split, and two products
// stand for one. Nothing is staged: a lane loads the four bytes that it holds of the matrix, rows ahead, straight from
// global memory. Integer products of bytes would need weights of three bytes to hit every level, and were slower
// (measurements.md).

#include "gpu/families/convolution/band.cuh"
#include "gpu/kernels/tensor_cores.cuh"

#include <cmath>
#include <optional>

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows that are under way to a warp, and blocks of a multiprocessor. At radius 4 registers are left for 4 rows.
template <int R>
struct BytesPolicy {
    static constexpr int kAhead = R <= 3 ? 8 : 4;
    static constexpr int kBlocks = R <= 4 ? 4 : 2;
};

/// Powers of two: weights times `up` suit f16, sums times `back` are levels.
struct BytesScale {
    float up, back;
};

/// None where two f16 cannot hold the weights to 2^-22 of each: their magnitudes span 2^17, or are beyond 2^60 or below
/// 2^-60.
inline std::optional<BytesScale> bytesScale(const std::vector<float>& weights) {
    float most = 0, least = 0x1p60F;
    for (const float w : weights) {
        if (w == 0) continue;
        most = std::max(most, std::fabs(w));
        least = std::min(least, std::fabs(w));
    }
    if (most == 0) return BytesScale{1, 0x1p24F};
    if (!(most < 0x1p60F) || least < 0x1p-60F || least < most * 0x1p-17F) return std::nullopt;
    const int k = 14 - std::ilogb(most);
    return BytesScale{std::ldexp(1.0F, k), std::ldexp(1.0F, 24 - k)};
}

/// Whether this kernel serves; the filter is one that tensor_core takes.
inline bool servesBytes(const Arguments& a) {
    return a.inputType == io::PixelType::u8 && a.outputType == io::PixelType::u8 &&
           servesPlainly<std::uint8_t>(a, 7, kQuad) && bytesScale(*a.weights);
}

/// Two neighbouring weights of a row, times a power of two: rounded to f16, and what that lacks.
struct BytesPair {
    unsigned high, low;

    /// Pair h that a lane holds of slice s of row j. It holds four neighbouring bytes of a row, so the matrix has its
    /// columns in that order.
    template <int R>
    __device__ static BytesPair of(const Weighting& weights, float up, int j, int s, int h) {
        const int g = static_cast<int>(threadIdx.x) / 4, t = static_cast<int>(threadIdx.x) % 4;
        const int dx = 16 * s + 4 * t + 2 * h - Band<R>::kPad - g;
        const float first = weights.at(j - R, dx) * up, second = weights.at(j - R, dx + 1) * up;
        BytesPair pair;
        pair.high = toF16Pair(first, second);
        const float2 held = ofF16Pair(pair.high);
        pair.low = toF16Pair(first - held.x, second - held.y);
        return pair;
    }
};

/// Row j of the filter as a band, twice: its weights rounded to f16, and what they lack. A lane's share.
template <int R>
struct BytesBand {
    unsigned high[2 * R + 1][Band<R>::kSlices][2], low[2 * R + 1][Band<R>::kSlices][2];

    __device__ BytesBand(const Weighting& weights, float up) {
#pragma unroll
        for (int j = 0; j < 2 * R + 1; ++j) {
#pragma unroll
            for (int s = 0; s < Band<R>::kSlices; ++s) {
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const auto pair = BytesPair::of<R>(weights, up, j, s, h);
                    high[j][s][h] = pair.high;
                    low[j][s][h] = pair.low;
                }
            }
        }
    }
};

/// The outputs near the edge, whose values come by the border.
template <int R>
__device__ void writeBytesFrame(const Source<std::uint8_t, true>& source, const TargetOf<true>& out, const Frame& frame,
                                const Weighting& weights, BytesScale scale) {
    const auto column = [](int s, int i) { return 16 * s + 4 * (static_cast<int>(threadIdx.x) % 4) + i; };
    const auto add = [&](int j, const FrameRow<R, std::uint8_t>& row, float(&sum)[4]) {
#pragma unroll
        for (int s = 0; s < Band<R>::kSlices; ++s) {
            unsigned held[4], high[2], low[2];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                unsigned word = 0;
#pragma unroll
                for (int i = 0; i < 4; ++i) word |= static_cast<unsigned>(row[half][s][i]) << (8 * i);
                held[half] = bytesAsF16(word, false);
                held[half + 2] = bytesAsF16(word, true);
            }
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const auto pair = BytesPair::of<R>(weights, scale.up, j, s, h);
                high[h] = pair.high;
                low[h] = pair.low;
            }
            multiplyAddF16(sum, held, low, sum);
            multiplyAddF16(sum, held, high, sum);
        }
    };
    writeBandFrame<R>(source, frame, column, add, [&](int x, int y, const float(&two)[2]) {
        const auto both = toTwoBytes(fmaf(two[0], scale.back, out.offset), fmaf(two[1], scale.back, out.offset));
        std::uint8_t* const to = static_cast<std::uint8_t*>(out.data) + blockIdx.z * out.planeValues +
                                 static_cast<std::size_t>(y) * out.pitch() + x;
        __stcs(reinterpret_cast<unsigned short*>(to), both);
    });
}

template <int R>
__global__ void __launch_bounds__(kLanes* kBandWarps, BytesPolicy<R>::kBlocks)
    tensor_core_bytes(Source<std::uint8_t, true> source, TargetOf<true> out, Frame frame, Weighting weights,
                      BytesScale scale, int rows) {
    constexpr int kSide = 2 * R + 1, kSlices = Band<R>::kSlices, kAhead = BytesPolicy<R>::kAhead;
    if (frame.isBlock()) return writeBytesFrame<R>(source, out, frame, weights, scale);
    const Plane<std::uint8_t, true> in = source.plane(blockIdx.z);
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int x = blockIdx.x * kBandColumns;
    const int begin = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * rows;
    const int first = frame.firstRow(begin), last = frame.lastRow(begin + rows);
    if (first >= last) return;  // all lanes of a warp together

    const BytesBand<R> band(weights, scale.up);

    // Of a row a lane holds a word a slice in each half of the strip. What would reach over the edge belongs to the
    // frame.
    const std::uint8_t* from[2][kSlices];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int s = 0; s < kSlices; ++s) {
            const int column = within(x - Band<R>::kPad + 64 * half + 16 * s + 8 * g + 4 * t, 0, in.pitch() - kQuad);
            from[half][s] = in.data + static_cast<std::size_t>(first - R) * in.pitch() + column;
        }
    }
    unsigned word[kAhead][2][kSlices];
    const auto fetch = [&](unsigned(&to)[2][kSlices], bool move) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
#pragma unroll
            for (int s = 0; s < kSlices; ++s) {
                to[half][s] = __ldg(reinterpret_cast<const unsigned*>(from[half][s]));
                if (move) from[half][s] += in.pitch();
            }
        }
    };
    const int end = last + R;  // of the rows that are needed
    int asked = first - R;
#pragma unroll
    for (int n = 0; n < kAhead; ++n) fetch(word[n], ++asked < end);

    const int column = x + 8 * g + 2 * t;
    const bool inner[2] = {frame.inner<2>(column), frame.inner<2>(column + 64)};
    std::uint8_t* to = static_cast<std::uint8_t*>(out.data) + blockIdx.z * out.planeValues +
                       static_cast<std::ptrdiff_t>(first - 2 * R) * out.pitch() + column;
    const float back = scale.back, offset = out.offset;
    float sum[kSide + 1][4] = {};  // sum k is of row y - R + k once they have moved; the last one stays 0
    // kAhead rows from y on. Whole: all of them have an output, and as many more follow.
    const auto march = [&]<bool Whole>(std::bool_constant<Whole>, int y) {
#pragma unroll
        for (int n = 0; n < kAhead; ++n) {
            unsigned held[kSlices][4];
#pragma unroll
            for (int s = 0; s < kSlices; ++s) {
#pragma unroll
                for (int q = 0; q < 4; ++q) held[s][q] = bytesAsF16(word[n][q % 2][s], q / 2 != 0);
            }
            fetch(word[n], Whole || ++asked < end);
#pragma unroll
            for (int s = 0; s < kSlices; ++s) {
                // Term by term, as in tensor_core; the first product moves the sum up.
#pragma unroll
                for (int k = 0; k < kSide; ++k)
                    multiplyAddF16(sum[k], held[s], band.low[kSide - 1 - k][s], sum[s > 0 ? k : k + 1]);
#pragma unroll
                for (int k = 0; k < kSide; ++k) multiplyAddF16(sum[k], held[s], band.high[kSide - 1 - k][s], sum[k]);
            }
            const int row = y + n - R;
            if (Whole || (row >= first && row < last)) {
#pragma unroll
                for (int half = 0; half < 2; ++half) {
                    // Made before the question, which then is the store's alone.
                    const auto two =
                        toTwoBytes(fmaf(sum[0][2 * half], back, offset), fmaf(sum[0][2 * half + 1], back, offset));
                    if (inner[half]) __stcs(reinterpret_cast<unsigned short*>(to + 64 * half), two);
                }
            }
            to += out.pitch();
        }
        if constexpr (Whole) asked += kAhead;
    };
#pragma unroll 1
    for (int y = first - R; y < end; y += kAhead) {
        if (y - R >= first && y + 2 * kAhead < end)
            march(std::true_type{}, y);
        else
            march(std::false_type{}, y);
    }
}

/// Needs servesBytes().
inline void launchTensorBytes(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(kLanes, t.at("block_height"));
    const int rows = t.at("rows_per_thread");
    const Weighting weights{static_cast<const float*>(c.address(a.filter)), a.filterWidth, a.filterHeight};
    const BytesScale scale = *bytesScale(*a.weights);
    const auto byRadius = [&]<int R>(Instance<std::uint8_t, R>) {
        forLayers<std::uint8_t, true>(
            c, a, [&](const Source<std::uint8_t, true>& in, const TargetOf<true>& out, unsigned layers) {
                dim3 grid(ceilDiv(a.width, kBandColumns), ceilDiv(a.height, static_cast<int>(block.y) * rows), layers);
                const auto frame = addBandFrame(a, R, grid, block.y);
                launch(c, &tensor_core_bytes<R>, grid, block, 0, in, out, frame, weights, scale, rows);
            });
    };
    const int radius = std::max(a.filterWidth, a.filterHeight) / 2;
    if (radius <= 1)
        byRadius(Instance<std::uint8_t, 1>{});
    else if (radius == 2)
        byRadius(Instance<std::uint8_t, 2>{});
    else if (radius == 3)
        byRadius(Instance<std::uint8_t, 3>{});
    else if (radius == 4)
        byRadius(Instance<std::uint8_t, 4>{});
    else
        byRadius(Instance<std::uint8_t, 7>{});
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
