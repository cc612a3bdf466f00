// SPDX-License-Identifier: Apache-2.0
// Idea: a thread computes a block of 4 x N outputs in registers (bytes: 8 x 4), and loads what they need four values at
// a time.
// Changed from register_tiled: no shared memory, no barrier: neighbours' loads of the same values meet in the cache.
// Needs: an odd filter up to 63 x 63; filters beyond 31, and extents that nobody compiled for, slide; rows that 4 does
// not divide are padded.
// Block: 32 x block_height threads, 4 columns and N = 4 or 8 rows per thread, 8 x 4 of bytes up to radius 3 and of
// large filters, no shared memory. In three dimensions any box up to 11 x 11 x 11; for cubes 256 threads march, 4 x 2
// outputs each or 4 x 1, and two slices of the tile are shared.
// Source: Volkov, Better performance at lower occupancy, GTC 2010, carried on to the loads; re-derived.
// Look at: the loop over rows: each is loaded once and added to every sum that it belongs to.
#pragma once

#include "gpu/families/convolution/filter_weights.cuh"
#include "gpu/families/convolution/frame.cuh"
#include "gpu/families/convolution/volume_march.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// What a thread computes, as measured (measurements.md). Bytes are few to load but must become floats: 8 x 4 needs a
/// quarter fewer of both than 4 x 8.
///
/// Rows of large filters stay a loop: unrolled, 11 x 11 took a compiler 3 seconds, and 31 x 31 would be 30,000
/// instructions. A weight is loaded for 8 outputs at a time then.
struct Blocking {
    int columns, rows;
    bool rolled = false;
};
__host__ __device__ constexpr Blocking blockingOf(bool bytes, int filterWidth, int filterHeight) {
    const bool square = filterWidth == filterHeight;
    if (bytes && square && filterWidth >= 3 && filterWidth <= 7) return {8, 4};
    if (square && filterWidth >= 5 && filterWidth <= 9) return {kQuad, 8};
    if (filterWidth * filterHeight <= 81 || (square && filterWidth == 15)) return {kQuad, 4};
    return {8, 4, true};
}

/// Whether the rows stay a loop for a filter of so many taps that are not left out: of a cross or a line of many rows
/// little is left, but a compiler unrolls no more than some 16,000 multiply-adds to find out.
__host__ __device__ constexpr bool staysRolled(const Blocking& blocking, int filterWidth, int filterHeight, int taps) {
    constexpr int kMostTaps = 112;  // times 8 x 4 outputs: as many as those of 15 x 15 that are unrolled
    constexpr int kMostUnrolled = 12000;
    const int all = (blocking.rows + filterHeight - 1) * filterWidth * blocking.rows * blocking.columns;
    return blocking.rolled && (taps > kMostTaps || all > kMostUnrolled);
}

/// RX, RY: the filter's radius across and down. Out: what is stored.
template <class T, int RX, int RY, class Out = T>
__global__ void __launch_bounds__(256) register_blocked(Source<T, true> source, TargetOf<true> out, Frame frame) {
    constexpr int kWide = 2 * RX + 1, kHigh = 2 * RY + 1;
    constexpr Blocking kBlocking = blockingOf(sizeof(T) == 1, kWide, kHigh);
    constexpr int C = kBlocking.columns, N = kBlocking.rows;
    constexpr bool kRolled = staysRolled(kBlocking, kWide, kHigh, constantTaps(kWide * kHigh));
    if (frame.isBlock()) {
        return writeFrame<RX, RY, 1>(source, out, frame, [](int j, int i) { return constantFilter[j * kWide + i]; });
    }
    const Plane<T, true> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * C;
    const int y = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * N;

    constexpr bool kFirst = offsetFirst<T>(kWide, kHigh);
    float sum[N][C];
    beginSums(sum, kFirst ? out.offset : 0.0F);
    float finite = 0;
#pragma unroll(kRolled ? 1 : N + 2 * RY)
    for (int j = 0; j < N + 2 * RY; ++j) {
        const auto row = RowWindow<T, RX, C>::load(in, x, y - RY + j);
        float value[C + 2 * RX];  // a stored integer becomes a float once
#pragma unroll
        for (int i = 0; i < C + 2 * RX; ++i) value[i] = row[i];
        if constexpr (kMindsZeros<T>) {
#pragma unroll
            for (int i = 0; i < C + 2 * RX; ++i) finite = addFinite(finite, value[i]);
        }
#pragma unroll
        for (int n = 0; n < N; ++n) {
            if (j < n || j > n + 2 * RY) continue;
#pragma unroll
            for (int i = 0; i < kWide; ++i) {
                const int place = (j - n) * kWide + i;
                if (!kRolled && vanishes(place)) continue;
                const float weight = kRolled ? constantFilter[place] : filterWeight(place);
#pragma unroll
                for (int c = 0; c < C; ++c) sum[n][c] = fmaf(weight, value[c + i], sum[n][c]);
            }
        }
    }
    if (!frame.inner<C>(x)) return;
    if (kMindsZeros<T> && finite != 0)  // as NaN is
        return storeWithZeros<RX, RY>(in, out, x, frame.firstRow(y), frame.lastRow(y + N), C);
#pragma unroll
    for (int n = 0; n < N; ++n) {
        if (y + n < frame.firstRow(y) || y + n >= frame.lastRow(y + N)) continue;
#pragma unroll
        for (int q = 0; q < C / kQuad; ++q) {
            const float four[kQuad] = {sum[n][kQuad * q], sum[n][kQuad * q + 1], sum[n][kQuad * q + 2],
                                       sum[n][kQuad * q + 3]};
            out.template streamFour<Out, kFirst>(blockIdx.z, x + kQuad * q, y + n, four);
        }
    }
}

/// Filters and rows of any extent.
template <class T, int C, int N>
__global__ void __launch_bounds__(256)
    register_blocked_anywhere(Source<T, true> source, Window<0> window, TargetOf<true> out) {
    const int first = (blockIdx.x * kLanes + threadIdx.x) * C;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * N;
    const auto weight = [side = window.width()](int j, int i) { return constantFilter[j * side + i]; };
#pragma unroll 1
    for (int x = first; x < first + C && out.contains(x, y); x += kQuad) {
        const bool offset = offsetFirst<T>(window.width(), window.height());
        float sum[N][kQuad];
        beginSums(sum, offset ? out.offset : 0.0F);
        slideAnywhere(source.plane(blockIdx.z), window, weight, x, y, C, sum);
        for (int n = 0; n < N; ++n) out.ofSums(offset).storeFour(blockIdx.z, x, y + n, sum[n]);
    }
}

inline Footprint registerBlockedFootprint(const Arguments& a, const TunableValues& t) {
    const int h = t.at("block_height");
    const Blocking blocking = blockingOf(a.inputType == io::PixelType::u8, a.filterWidth, a.filterHeight);
    return {.blockWidth = kLanes,
            .blockHeight = h,
            .tileWidth = kLanes * blocking.columns,
            .tileHeight = h * blocking.rows,
            .haloX = a.filterWidth / 2,
            .haloY = a.filterHeight / 2,
            .haloThroughCache = true};
}

/// For these very weights; none is wanted where rows stay a loop, whose places nobody knows.
template <class T>
Special blockedSpecialOf(const Arguments& a) {
    const Blocking blocking = blockingOf(sizeof(T) == 1, a.filterWidth, a.filterHeight);
    if (staysRolled(blocking, a.filterWidth, a.filterHeight, a.constantTaps)) return {};
    return constantSpecialOf<T>(a, "register_blocked");
}

template <class T, int R, int C, int N>
void launchRegisterBlockedBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(kLanes, t.at("block_height"));
    const int radiusX = a.filterWidth / 2, radiusY = a.filterHeight / 2;
    forLayers<T, true>(c, a, [&](const Source<T, true>& in, const TargetOf<true>& out, unsigned layers) {
        const dim3 grid(ceilDiv(a.width, kLanes * C), ceilDiv(a.height, block.y * N), layers);
        if (servesPlainly<T>(a, radiusX, C)) {
            dim3 framed = grid;
            const auto frame = addFrame(a, radiusX, radiusY, C, 1, framed, kLanes * block.y);
            using Kernel = void(Source<T, true>, TargetOf<true>, Frame);
            if (launchSpecial<Kernel>(c, blockedSpecialOf<T>(a), framed, block, 0, in, out, frame)) return;
            if constexpr (R > 0)
                return dispatchOutput<T>(a, [&]<class Out>(Out) {
                    launch(c, &register_blocked<T, R, R, Out>, framed, block, 0, in, out, frame);
                });
            else if (launchSpecial<Kernel>(c, specialOf<T>(a, "register_blocked"), framed, block, 0, in, out, frame))
                return;
        }
        launch(c, &register_blocked_anywhere<T, C, N>, grid, block, 0, in, Window<0>{a.filterWidth, a.filterHeight},
               out);
    });
}

inline void launchRegisterBlocked(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch<true>(a, [&]<class T, int R>(Instance<T, R>) {
        constexpr bool kBytes = sizeof(T) == 1;
        if constexpr (R > 0) {
            constexpr Blocking kBlocking = blockingOf(kBytes, 2 * R + 1, 2 * R + 1);
            launchRegisterBlockedBy<T, R, kBlocking.columns, kBlocking.rows>(c, a, t);
        } else if (blockingOf(kBytes, a.filterWidth, a.filterHeight).columns == 8) {
            launchRegisterBlockedBy<T, 0, 8, 4>(c, a, t);
        } else {
            launchRegisterBlockedBy<T, 0, kQuad, 4>(c, a, t);
        }
    });
}

constexpr int kBoxRadius = 5;

/// The weights of a cube by row, then slice, then column, rows up to a whole quad: as the kernel reads them.
alignas(16) __constant__ float constantCube[11 * 11 * 12];

/// Rows a thread in three dimensions, of four columns each: with more than two the sums of the 2R + 1 slices leave no
/// room.
template <int R>
constexpr int kBoxRows = R <= 3 ? 2 : 1;

/// The same in three dimensions: a slice is staged in shared memory, as its values are needed by many threads and stay
/// for one step of the march; every value is read once a filter's row and added to the sums of the 2R + 1 slices that
/// it belongs to, all registers.
template <int R>
__global__ void __launch_bounds__(kMarchThreads, 2)
    register_blocked_volume(AnyVolume in, int first, int slices, int stretch, Target out) {
    constexpr int kSide = 2 * R + 1, kPadded = (kSide + 3) / 4, kEach = kBoxRows<R>, kRows = 16 * kEach;
    using Plane = StagedPlane<R, kRows>;
    const int column = threadIdx.x % 16 * 4, row = threadIdx.x / 16 * kEach;
    const int x = blockIdx.x * kMarchColumns + column, y = blockIdx.y * kRows + row;
    const int begin = blockIdx.z * stretch, end = begin + stretch < slices ? begin + stretch : slices;
    Plane plane(in, static_cast<int>(blockIdx.x) * kMarchColumns - R, static_cast<int>(blockIdx.y) * kRows - R);
    plane.fetch(in, first + begin - R);
    float sum[kSide][kEach][4] = {};  // of the slices z - R .. z + R
    int turn = 0;
#pragma unroll 1
    for (int z = begin - R; z < end + R; ++z) {
        float* const tile = dynamicShared + turn * Plane::kValues;
        turn ^= 1;
        plane.put(tile, in.type);
        __syncthreads();  // the slice is staged; who still reads the one before it has the other tile
        if (z + 1 < end + R) plane.fetch(in, first + z + 1);
        float value[kEach][4 * kQuadsOf<4 + 2 * R>];
        const float* from = tile + row * Plane::kPitch + column;
        if constexpr (kEach == 2) readQuads<4 + 2 * R>(value[1], from);
#pragma unroll(R <= 2 ? kSide : 1)
        for (int j = 0; j < kSide; ++j) {
            if constexpr (kEach == 2) {
#pragma unroll
                for (int i = 0; i < 4 + 2 * R; ++i) value[0][i] = value[1][i];
            }
            readQuads<4 + 2 * R>(value[kEach - 1], from + (j + kEach - 1) * Plane::kPitch);
#pragma unroll
            for (int k = 0; k < kSide; ++k) {
#pragma unroll
                for (int q = 0; q < kPadded; ++q) {
                    const float4 four = reinterpret_cast<const float4*>(constantCube)[(j * kSide + k) * kPadded + q];
                    const float weight[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
                    for (int t = 0; t < 4; ++t) {
                        if (4 * q + t >= kSide) continue;
#pragma unroll
                        for (int n = 0; n < kEach; ++n) {
#pragma unroll
                            for (int i = 0; i < 4; ++i) {
                                float& to = sum[kSide - 1 - k][n][i];
                                to = fmaf(weight[t], value[n][i + 4 * q + t], to);
                            }
                        }
                    }
                }
            }
        }
#pragma unroll
        for (int n = 0; n < kEach; ++n) {
            if (z - R >= begin && y + n < out.height && x < out.width) storeRow(out, z - R, x, y + n, sum[0][n]);
        }
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
#pragma unroll
            for (int n = 0; n < kEach; ++n) {
#pragma unroll
                for (int i = 0; i < 4; ++i) sum[k][n][i] = k + 1 < kSide ? sum[k + 1 < kSide ? k + 1 : k][n][i] : 0.0F;
            }
        }
    }
}

/// Boxes of other extents: a window of four slides along each of their rows.
template <class T>
__global__ void __launch_bounds__(256) register_blocked_box(Volume<T> in, Window3 window, int first, Target out) {
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!out.contains(x, y)) return;
    const int left = x - window.radiusX(), top = y - window.radiusY();
    const int front = first + static_cast<int>(blockIdx.z) - window.radiusZ();
    const bool inside = in.contains(left, top, front, window.width + 3, window.height, window.depth);
    const auto at = [&](int i, int j, int k) { return inside ? in(i, j, k) : in.at(i, j, k); };
    float sum[kQuad] = {};
    const float* weight = constantFilter;
#pragma unroll 1
    for (int k = front; k < front + window.depth; ++k) {
#pragma unroll 1
        for (int j = top; j < top + window.height; ++j) {
            float v[kQuad] = {0, at(left, j, k), at(left + 1, j, k), at(left + 2, j, k)};
#pragma unroll 1
            for (int i = left + 3; i < left + 3 + window.width; ++i) {
                v[0] = v[1];
                v[1] = v[2];
                v[2] = v[3];
                v[3] = at(i, j, k);
                const float w = *weight++;
#pragma unroll
                for (int n = 0; n < kQuad; ++n) sum[n] = fmaf(w, v[n], sum[n]);
            }
        }
    }
    out.storeFour(blockIdx.z, x, y, sum);
}

inline bool isBlockedCube(const Arguments& a) { return isCube(a, kBoxRadius) && countsInInt(a); }

static void prepareRegisterBlockedVolume(LaunchContext& c, const Arguments& a) {
    prepareConstantFilter(c, a);
    if (!isBlockedCube(a)) return;
    const auto side = static_cast<std::size_t>(a.filterWidth), padded = (side + 3) / 4 * 4;
    std::vector<float> cube(side * side * padded);
    for (std::size_t k = 0; k < side; ++k) {
        for (std::size_t j = 0; j < side; ++j)
            std::copy_n(a.weights->begin() + static_cast<std::ptrdiff_t>((k * side + j) * side), side,
                        cube.begin() + static_cast<std::ptrdiff_t>((j * side + k) * padded));
    }
    setConstant(c, constantCube, "warplens::gpu::convolution::constantCube", cube.data(), cube.size());
}

inline std::size_t registerBlockedVolumeShared(const TunableValues&, const Box& filter) {
    std::size_t bytes = 0;
    if (filter.width != filter.height || filter.width != filter.depth) return 0;
    withRadius<kBoxRadius>(filter.width / 2, [&]<int R>(Radius<R>) {
        bytes = sizeof(float) * 2 * StagedPlane<R, 16 * kBoxRows<R>>::kValues;
    });
    return bytes;
}

inline Footprint registerBlockedVolumeFootprint(const TunableValues& t, const Box& filter) {
    const bool cube = filter.width == filter.height && filter.width == filter.depth && filter.width > 1;
    if (cube) return marchFootprint(16 * (filter.width <= 7 ? kBoxRows<3> : kBoxRows<4>), filter);
    Footprint box = pixelPerThreadFootprint({{"block_width", kLanes}, {"block_height", t.at("block_height")}},
                                            filter.width, filter.height);
    box.tileWidth *= kQuad;
    return box;
}

inline void launchRegisterBlockedVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    if (!isBlockedCube(a)) {
        const dim3 block(kLanes, t.at("block_height"));
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        return dispatchVolume(a, [&]<class T>(T) {
            forVolumes<T>(c, a, 1, [&](const Volume<T>& in, const Target& out, int first, int slices) {
                const dim3 grid(ceilDiv(a.width, kLanes * kQuad), ceilDiv(a.height, block.y), slices);
                launch(c, &register_blocked_box<T>, grid, block, 0, in, window, first, out);
            });
        });
    }
    constexpr int kMostSlices = 256;
    const auto shared = registerBlockedVolumeShared(t, {a.filterWidth, a.filterHeight, a.filterDepth});
    withRadius<kBoxRadius>(a.filterWidth / 2, [&]<int R>(Radius<R>) {
        forMarches(c, a, 16 * kBoxRows<R>, kMostSlices,
                   [&](const AnyVolume& in, const Target& out, int first, int slices, int stretch, dim3 grid) {
                       launch(c, &register_blocked_volume<R>, grid, dim3(kMarchThreads), shared, in, first, slices,
                              stretch, out);
                   });
    });
}

KernelEntry register_blocked_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchRegisterBlocked,
            .footprintOf = &registerBlockedFootprint,
            .paddedRows = [](const Arguments&) { return true; },
            .volume = {.prepare = &prepareRegisterBlockedVolume,
                       .launch = &launchRegisterBlockedVolume,
                       .footprint = &registerBlockedVolumeFootprint,
                       .sharedBytes = &registerBlockedVolumeShared}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
