// SPDX-License-Identifier: Apache-2.0
// Idea: a warp marches down the picture; each row that arrives is added to all the sums it belongs to, then forgotten.
// Changed from register_blocked: every row is loaded once per march, and registers hold only sums: 2r + 1 rows of them.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11; beyond 31, and where nobody compiled for it, 8 x 4 slide.
// Block: 32 x block_height threads, 8 columns (above 17 rows 4) and rows_per_thread rows each, no shared memory; in
// three dimensions 4 columns of a row, and a march through up to rows_per_thread slices.
// Source: the register pipeline of Holewinski et al., ICS 2012, for one step of a dense filter; re-derived.
// Look at: the sums that move up by one while they grow: sum k becomes sum k - 1 of the next row.
#pragma once

#include "gpu/families/convolution/filter_weights.cuh"
#include "gpu/families/convolution/frame.cuh"
#include "gpu/families/convolution/volume_march.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

struct StreamedPolicy {
    /// Columns per thread. A filter of more rows has more sums than fit beside two windows.
    __host__ __device__ static constexpr int columns(int filterHeight) { return filterHeight <= 17 ? 8 : 4; }
    static constexpr int kSlideRows = 4;
};

/// RX, RY: the filter's radius across and down. Out: what is stored.
template <class T, int RX, int RY, class Out = T>
__global__ void __launch_bounds__(256) streamed(Source<T, true> source, TargetOf<true> out, Frame frame, int rows) {
    constexpr int kWide = 2 * RX + 1, kHigh = 2 * RY + 1, kColumns = StreamedPolicy::columns(kHigh);
    if (frame.isBlock()) {
        return writeFrame<RX, RY, kQuad>(source, out, frame,
                                         [](int j, int i) { return constantFilter[j * kWide + i]; });
    }
    using Row = RowWindow<T, RX, kColumns>;
    const Plane<T, true> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kColumns;
    const int begin = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * rows;
    const int first = frame.firstRow(begin), last = frame.lastRow(begin + rows);
    const bool inner = frame.inner<kColumns>(x);

    constexpr bool kFirst = offsetFirst<T>(kWide, kHigh);
    const float fresh = kFirst ? out.offset : 0.0F;
    float sum[kHigh][kColumns] = {};  // sum k is of row y - RY + k once they have moved
    int tainted = 0;                  // outputs to come, this one included, whose windows hold what is not finite
    auto arriving = Row::load(in, x, first - RY);
#pragma unroll 1
    for (int y = first - RY; y < last + RY; ++y) {
        const auto row = arriving;
        arriving = Row::load(in, x, y + 1);  // asked for now, needed in the next turn
        if constexpr (kMindsZeros<T>) {
            float finite = 0;
#pragma unroll
            for (int i = 0; i < kColumns + 2 * RX; ++i) finite = addFinite(finite, row[i]);
            tainted = finite == 0 ? tainted - 1 : kHigh;
        }
#pragma unroll
        for (int k = 0; k < kHigh; ++k) {
            float grown[kColumns];
#pragma unroll
            for (int c = 0; c < kColumns; ++c) grown[c] = k + 1 < kHigh ? sum[k + 1 < kHigh ? k + 1 : k][c] : fresh;
#pragma unroll
            for (int i = 0; i < kWide; ++i) {
                if (vanishes((kHigh - 1 - k) * kWide + i)) continue;
                const float weight = filterWeight((kHigh - 1 - k) * kWide + i);
#pragma unroll
                for (int c = 0; c < kColumns; ++c) grown[c] = fmaf(weight, row[c + i], grown[c]);
            }
#pragma unroll
            for (int c = 0; c < kColumns; ++c) sum[k][c] = grown[c];
        }
        if (y - RY >= first && inner) {
            if (kMindsZeros<T> && tainted > 0) {
                storeWithZeros<RX, RY>(in, out, x, y - RY, y - RY + 1, kColumns);
                continue;
            }
#pragma unroll
            for (int q = 0; q < kColumns / kQuad; ++q) {
                const float four[kQuad] = {sum[0][kQuad * q], sum[0][kQuad * q + 1], sum[0][kQuad * q + 2],
                                           sum[0][kQuad * q + 3]};
                out.template streamFour<Out, kFirst>(blockIdx.z, x + kQuad * q, y - RY, four);
            }
        }
    }
}

/// Filters and rows of any extent.
template <class T>
__global__ void __launch_bounds__(256)
    streamed_anywhere(Source<T, true> source, Window<0> window, TargetOf<true> out, int rows) {
    constexpr int kSlide = StreamedPolicy::kSlideRows;
    const Plane<T, true> in = source.plane(blockIdx.z);
    const auto weight = [side = window.width()](int j, int i) { return constantFilter[j * side + i]; };
    const bool offset = offsetFirst<T>(window.width(), window.height());
    const int columns = StreamedPolicy::columns(window.height());
    const int column = (blockIdx.x * kLanes + threadIdx.x) * columns;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows;
    const int last = first + rows < out.height ? first + rows : out.height;
    for (int y = first; y < last; y += kSlide) {
        for (int x = column; x < column + columns && x < out.width; x += kQuad) {
            float sum[kSlide][kQuad];
            beginSums(sum, offset ? out.offset : 0.0F);
            slideAnywhere(in, window, weight, x, y, columns, sum);
            for (int n = 0; n < kSlide && y + n < last; ++n) out.ofSums(offset).storeFour(blockIdx.z, x, y + n, sum[n]);
        }
    }
}

inline Footprint streamedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int h = t.at("block_height");
    return {.blockWidth = kLanes,
            .blockHeight = h,
            .tileWidth = kLanes * StreamedPolicy::columns(filterHeight),
            .tileHeight = h * t.at("rows_per_thread"),
            .haloX = filterWidth / 2,
            .haloY = filterHeight / 2,
            .haloThroughCache = true};
}

inline void launchStreamed(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const int radiusX = a.filterWidth / 2, radiusY = a.filterHeight / 2;
    const int columns = StreamedPolicy::columns(a.filterHeight);
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block(kLanes, t.at("block_height"));
        const int rows = t.at("rows_per_thread");
        forLayers<T, true>(c, a, [&](const Source<T, true>& in, const TargetOf<true>& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, kLanes * columns), ceilDiv(a.height, static_cast<int>(block.y) * rows),
                            layers);
            if (servesPlainly<T>(a, radiusX, columns)) {
                dim3 framed = grid;
                const auto frame = addFrame(a, radiusX, radiusY, columns, kQuad, framed, kLanes * block.y);
                using Kernel = void(Source<T, true>, TargetOf<true>, Frame, int);
                if (launchSpecial<Kernel>(c, constantSpecialOf<T>(a, "streamed"), framed, block, 0, in, out, frame,
                                          rows))
                    return;
                if constexpr (R > 0)
                    return dispatchOutput<T>(a, [&]<class Out>(Out) {
                        launch(c, &streamed<T, R, R, Out>, framed, block, 0, in, out, frame, rows);
                    });
                else if (launchSpecial<Kernel>(c, specialOf<T>(a, "streamed"), framed, block, 0, in, out, frame, rows))
                    return;
            }
            launch(c, &streamed_anywhere<T>, grid, block, 0, in, Window<0>{a.filterWidth, a.filterHeight}, out, rows);
        });
    });
}

/// The more sums there are, the more a march takes before its first, and the fewer blocks run side by side.
static March streamedMarch(io::PixelType input, int, int filterHeight) {
    March march{.together = 1, .waiting = 0.5, .tail = 0.5, .tailAtOnce = 0.5, .granule = 8, .halves = true};
    const bool few = filterHeight <= 5, floats = input == io::PixelType::f32;
    if (few && floats) march.tail = 1;
    march.atOnce = !few ? 1 : floats ? 3 : 2.5;
    march.lead = !few ? 8 : floats ? 2 : 0;
    if (!few && filterHeight <= 9 && input != io::PixelType::u8) {
        march.waiting = 1;
        march.tailAtOnce = 0.75;
        march.lead = 10;
    }
    if (filterHeight > 11) {  // a block alone
        march.mostRows = 256;
        march.tailAtOnce = 0.25;
    }
    return march;
}

/// The same in three dimensions: a thread marches through the slices, and each value that arrives is added to the sums
/// of the 2R + 1 slices that it belongs to, the input's slice `first` being the output's first.
template <class T, int R>
__global__ void __launch_bounds__(256)
    streamed_volume(Volume<T> in, Window3 window, int first, int slices, int stretch, Target out) {
    constexpr int kDeep = 2 * R + 1;
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!out.contains(x, y)) return;
    const int left = x - window.radiusX(), top = y - window.radiusY();
    const int begin = blockIdx.z * stretch, end = begin + stretch < slices ? begin + stretch : slices;
    const bool inside =
        left >= 0 && top >= 0 && left + window.width + 3 <= in.width && top + window.height <= in.height;
    const int weightsPerSlice = window.width * window.height;
    float sum[kDeep][kQuad] = {};  // of the slices z - R .. z + R
#pragma unroll 1
    for (int z = begin - R; z < end + R; ++z) {
        const int slice = remap(first + z, in.depth, in.border);
        if (slice >= 0) {
            const Plane<T> plane = in.slice(slice);
            const auto at = [&](int i, int j) { return inside ? plane(i, j) : plane.at(i, j); };
            const float* weight = constantFilter;
#pragma unroll 1
            for (int j = top; j < top + window.height; ++j) {
                float v[kQuad] = {0, at(left, j), at(left + 1, j), at(left + 2, j)};
#pragma unroll 1
                for (int i = left + 3; i < left + 3 + window.width; ++i, ++weight) {
                    v[0] = v[1];
                    v[1] = v[2];
                    v[2] = v[3];
                    v[3] = at(i, j);
#pragma unroll
                    for (int k = 0; k < kDeep; ++k) {
                        const float w = weight[(kDeep - 1 - k) * weightsPerSlice];
#pragma unroll
                        for (int n = 0; n < kQuad; ++n) sum[k][n] = fmaf(w, v[n], sum[k][n]);
                    }
                }
            }
        }
        if (z - R >= begin) storeRow(out, z - R, x, y, sum[0]);
#pragma unroll
        for (int k = 0; k < kDeep; ++k) {
#pragma unroll
            for (int n = 0; n < kQuad; ++n) sum[k][n] = k + 1 < kDeep ? sum[k + 1 < kDeep ? k + 1 : k][n] : 0.0F;
        }
    }
}

inline Footprint streamedVolumeFootprint(const TunableValues& t, const Box& filter) {
    Footprint print = streamedFootprint(t, filter.width, filter.height);
    print.tileWidth = kLanes * kQuad;
    print.tileHeight = t.at("block_height");
    return print;
}

inline void launchStreamedVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(kLanes, t.at("block_height"));
    const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
    const dim3 across(ceilDiv(a.width, kLanes * kQuad), ceilDiv(a.height, block.y));
    const int stretch = stretchOf(t.at("rows_per_thread"), std::max(16, 2 * a.filterDepth), a.depth,
                                  static_cast<std::int64_t>(across.x) * across.y * a.planes);
    const auto launchFor = [&]<int R>(Radius<R>) {
        dispatchVolume(a, [&]<class T>(T) {
            forVolumes<T>(c, a, stretch, [&](const Volume<T>& in, const Target& out, int first, int slices) {
                const dim3 grid(across.x, across.y, ceilDiv(slices, stretch));
                launch(c, &streamed_volume<T, R>, grid, block, 0, in, window, first, slices, stretch, out);
            });
        });
    };
    if (a.filterDepth == 1) return launchFor(Radius<0>{});
    constexpr int kDeepest = 5;
    withRadius<kDeepest>(a.filterDepth / 2, launchFor);
}

KernelEntry streamed_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchStreamed,
            .footprint = &streamedFootprint,
            .march = &streamedMarch,
            .paddedRows = [](const Arguments&) { return true; },
            .volume = {.launch = &launchStreamedVolume, .footprint = &streamedVolumeFootprint}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
