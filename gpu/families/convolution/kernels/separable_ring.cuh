// SPDX-License-Identifier: Apache-2.0
// Idea: a block marches down a strip; its filtered rows go round a ring in shared memory, and columns are summed from
// there.
// Changed from separable_fused: a row is filtered once per strip, not once per tile; a thread makes 8 or 16 neighbours
// at a time.
// Needs: a separable filter (rank-1 residual at most 2 ulp); any picture, any border; made for wide filters.
// Block: 256 x 1 threads, 8 rows per turn, from 24 taps on 128 x 1 and 16; rows_per_thread rows; shared: a turn, a
// filter's rows. In three dimensions so for every slice, and a second pass along z: 128 threads, a ring each, sides up
// to 127.
// Source: Podlozhnyuk, Image convolution with CUDA, NVIDIA 2007; 2.5D marching as Micikevicius, GPGPU-2 2009; ours.
// Look at: two barriers per turn, and the next turn's values, on their way meanwhile.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/launching.cuh"
#include "gpu/families/convolution/sliding_quads.cuh"
#include "gpu/families/convolution/volume_march.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Threads of a block, and rows that they take per turn: a thread filters kRows neighbours of a row, then as many of a
/// column. Eight rows suit small filters, sixteen large ones (measurements.md).
template <int Rows, int Widest = 64>
struct RingPolicy {
    static constexpr int kRows = Rows;
    static constexpr int kThreads = Rows == 8 ? 256 : 128;
    static constexpr int kPlanes = Rows / 4;  ///< quads between two threads' first ones
    static constexpr int kWidest =
        Widest;  ///< columns beside a strip that a filter of one less reaches, in whole quads
    static constexpr int kPerRow = kThreads / Rows,
                         kHalo = kWidest / kPerRow;  ///< threads of a row's halo, and its values a thread

    /// A row lies in kPlanes planes, quad q in plane q % kPlanes: threads that begin kPlanes quads apart read theirs
    /// side by side. The planes' distance keeps neighbours in banks of their own.
    static constexpr int planePitch(int columns) {
        const int pitch = (columns / 4 + kPlanes - 1) / kPlanes * 4, shift = 32 / kPlanes;
        return pitch / 32 * 32 + shift + (pitch % 32 > shift ? 32 : 0);
    }
    static constexpr int kTilePlane = planePitch(kThreads + kWidest), kTilePitch = kTilePlane * kPlanes;
    static constexpr int kRingPlane = planePitch(kThreads), kRingPitch = kRingPlane * kPlanes;
    __host__ __device__ static constexpr int place(int column, int plane) {
        return column / 4 % kPlanes * plane + column / 4 / kPlanes * 4 + column % 4;
    }
    /// Turns whose rows a column needs before its first output, and floats of the whole ring.
    __host__ __device__ static constexpr int lead(int filterHeight) { return (filterHeight - 1 + Rows - 1) / Rows; }
    __host__ __device__ static constexpr int ringFloats(int filterHeight) {
        return (lead(filterHeight) + 1) * Rows * kRingPitch;
    }
};

/// A turn's values on their way from global to shared memory: a column of the strip, and some of the halo beside it.
template <class T, class Policy>
struct Arrival {
    float main[Policy::kRows], halo[Policy::kHalo];

    /// `columns[0]` is the strip's, the others the halo's, remapped; below 0 where they are zero. Asks about rows only
    /// where they leave the picture.
    __device__ void fetch(const Plane<T>& in, const int (&columns)[1 + Policy::kHalo], int y) {
        constexpr int kRows = Policy::kRows;
        if (y >= 0 && y + kRows <= in.height) {
            const T* const from = in.data + static_cast<std::size_t>(y) * in.pitch() + columns[0];
#pragma unroll
            for (int n = 0; n < kRows; ++n)
                main[n] = columns[0] < 0 ? 0.0F : static_cast<float>(__ldg(from + n * in.pitch()));
        } else {
#pragma unroll
            for (int n = 0; n < kRows; ++n) main[n] = at(in, columns[0], remap(y + n, in.height, in.border));
        }
        const int line = remap(y + static_cast<int>(threadIdx.x) / Policy::kPerRow, in.height, in.border);
#pragma unroll
        for (int h = 0; h < Policy::kHalo; ++h) halo[h] = at(in, columns[1 + h], line);
    }
    __device__ static float at(const Plane<T>& in, int column, int line) {
        return column < 0 || line < 0
                   ? 0.0F
                   : static_cast<float>(__ldg(in.data + static_cast<std::size_t>(line) * in.pitch() + column));
    }
};

template <class T, int R, int Rows, int Widest = 64>
__global__ void __launch_bounds__(RingPolicy<Rows>::kThreads, 1024 / RingPolicy<Rows>::kThreads / (Rows / 8))
    separable_ring(Source<T> source, Window<R> window, Target out, int rowsPerBlock, bool plain) {
    using P = RingPolicy<Rows, Widest>;
    const Plane<T> in = source.plane(blockIdx.z);
    const int thread = threadIdx.x, x = static_cast<int>(blockIdx.x) * P::kThreads + thread;
    float* const tile = dynamicShared;
    float* const ring = dynamicShared + Rows * P::kTilePitch;
    float* const ringEnd = ring + P::ringFloats(window.height());

    const int haloRow = thread / P::kPerRow, haloColumn = P::kThreads + thread % P::kPerRow;
    const int staged = (P::kThreads + window.width() - 1 + 3) / 4 * 4;
    int columns[1 + P::kHalo];
    columns[0] = remap(x - window.radiusX(), in.width, in.border);
#pragma unroll
    for (int h = 0; h < P::kHalo; ++h) {
        const int column = haloColumn + h * P::kPerRow;
        columns[1 + h] = column < staged ? remap(x - thread + column - window.radiusX(), in.width, in.border) : -1;
    }
    float* const stripPlace = tile + P::place(thread, P::kTilePlane);
    const int segment = thread % P::kPerRow * 4, segmentRow = thread / P::kPerRow;
    const int columnPlace = P::place(thread, P::kRingPlane);

    const int first = blockIdx.y * rowsPerBlock,
              last = first + rowsPerBlock < out.height ? first + rowsPerBlock : out.height;
    Arrival<T, P> arrival;
    arrival.fetch(in, columns, first - window.radiusY());
    float* slot = ring;
    // y: the first output row of which the turn's rows are the last that it needs, before `first` while the ring fills
#pragma unroll 1
    for (int y = first - P::lead(window.height()) * Rows; y < last; y += Rows) {
#pragma unroll
        for (int n = 0; n < Rows; ++n) stripPlace[n * P::kTilePitch] = arrival.main[n];
#pragma unroll
        for (int h = 0; h < P::kHalo; ++h) {
            const int column = haloColumn + h * P::kPerRow;
            if (column < staged) tile[haloRow * P::kTilePitch + P::place(column, P::kTilePlane)] = arrival.halo[h];
        }
        __syncthreads();  // the turn's rows are staged
        const int ahead = y + (P::lead(window.height()) + 1) * Rows - window.radiusY();
        if (y + Rows < last) arrival.fetch(in, columns, ahead);
        {
            float sum[Rows] = {};
            const float* line = tile + segmentRow * P::kTilePitch + segment;
            slideQuads<Rows>(sum, constantRow, window.width(), [&]<int I>(Place<I>, float(&quad)[4]) {
                const auto four =
                    *reinterpret_cast<const float4*>(line + I % P::kPlanes * P::kTilePlane + I / P::kPlanes * 4);
                quad[0] = four.x, quad[1] = four.y, quad[2] = four.z, quad[3] = four.w;
                if constexpr (I == kTurn<Rows> - 1) line += kTurn<Rows> / P::kPlanes * 4;
            });
            float* const to = slot + segmentRow * P::kRingPitch + segment;
#pragma unroll
            for (int q = 0; q < P::kPlanes; ++q) {
                *reinterpret_cast<float4*>(to + q * P::kRingPlane) =
                    float4{sum[4 * q], sum[4 * q + 1], sum[4 * q + 2], sum[4 * q + 3]};
            }
        }
        __syncthreads();  // the turn's rows are filtered, and the tile is free
        slot += Rows * P::kRingPitch;
        if (slot == ringEnd) slot = ring;
        if (y < first) continue;
        float sum[Rows] = {};
        const float* from = slot;  // the oldest rows
        slideQuads<Rows>(sum, constantColumn, window.height(), [&]<int I>(Place<I>, float(&quad)[4]) {
            const float* const rows = from + columnPlace + I % P::kPlanes * 4 * P::kRingPitch;
#pragma unroll
            for (int n = 0; n < 4; ++n) quad[n] = rows[n * P::kRingPitch];
            if constexpr (I % P::kPlanes == P::kPlanes - 1) {
                from += Rows * P::kRingPitch;
                if (from == ringEnd) from = ring;
            }
        });
        if (x >= out.width) continue;
        if (plain && y + Rows <= last) {
            const std::size_t to = blockIdx.z * out.planeValues + static_cast<std::size_t>(y) * out.pitch() + x;
#pragma unroll
            for (int n = 0; n < Rows; ++n) out.streamOne<T>(to + static_cast<std::size_t>(n) * out.pitch(), sum[n]);
        } else {
#pragma unroll
            for (int n = 0; n < Rows; ++n) {
                if (y + n < last) out.store(blockIdx.z, x, y + n, sum[n]);
            }
        }
    }
}

/// From here on a turn takes 16 rows.
constexpr int kRingWide = 25;

inline bool takesWideTurns(int filterWidth, int filterHeight) {
    return std::max(filterWidth, filterHeight) >= kRingWide;
}

template <int Rows, int Widest = 64>
std::size_t ringShared(int filterHeight) {
    using P = RingPolicy<Rows, Widest>;
    return sizeof(float) * (Rows * P::kTilePitch + P::ringFloats(filterHeight));
}

inline std::size_t separableRingShared(const TunableValues&, int filterWidth, int filterHeight) {
    return takesWideTurns(filterWidth, filterHeight) ? ringShared<16>(filterHeight) : ringShared<8>(filterHeight);
}

inline Footprint separableRingFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int threads = takesWideTurns(filterWidth, filterHeight) ? RingPolicy<16>::kThreads : RingPolicy<8>::kThreads;
    const int rx = filterWidth / 2, ry = filterHeight / 2;
    return {.blockWidth = threads,
            .blockHeight = 1,
            .tileWidth = threads,
            .tileHeight = t.at("rows_per_thread"),
            .stagedLeft = rx,
            .stagedTop = ry,
            .stagedRight = rx,
            .stagedBottom = ry,
            .staged = true,
            .haloX = rx,
            .haloY = ry};
}

template <class T, int R, int Rows, int Widest = 64>
void launchRing(LaunchContext& c, const Arguments& a, const Target& target, int rows) {
    const auto shared = ringShared<Rows, Widest>(a.filterHeight);
    const Special special = Widest == 64 ? squareSpecial<T, R>(a, "separable_ring").with(Rows) : Special{};
    forLayers(sourceOf<T>(c, a), target, a.planes, [&](const Source<T>& in, const Target& out, unsigned layers) {
        const dim3 grid(ceilDiv(a.width, RingPolicy<Rows>::kThreads), ceilDiv(a.height, rows), layers);
        launch(c, special, &separable_ring<T, R, Rows, Widest>, grid, dim3(RingPolicy<Rows>::kThreads), shared, in,
               Window<R>{a.filterWidth, a.filterHeight}, out, rows, out.type == io::typeOf<T>());
    });
}

inline void launchRings(LaunchContext& c, const Arguments& a, const Target& target, int rows) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        if constexpr (R == 0) {
            if (takesWideTurns(a.filterWidth, a.filterHeight)) return launchRing<T, 0, 16>(c, a, target, rows);
        }
        launchRing<T, R, 8>(c, a, target, rows);
    });
}

inline void launchSeparableRing(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    launchRings(c, a, targetOf(c, a), t.at("rows_per_thread"));
}

/// A turn along z, and threads of a block.
constexpr int kStackTurn = 16, kStackThreads = 128;

/// Turns whose slices a thread needs before its first output.
__host__ __device__ constexpr int stackLead(int taps) { return (taps - 1 + kStackTurn - 1) / kStackTurn; }

/// The second pass in three dimensions: a thread marches along z at one place of the slices, and its values of the last
/// turns go round a ring in shared memory that no other thread reads.
template <int Turn>
__global__ void __launch_bounds__(kStackThreads, 4)
    separable_stack(Volume<float> in, int taps, int first, int slices, int stretch, Target out) {
    const int slice = in.width * in.height, place = blockIdx.x * kStackThreads + threadIdx.x;
    if (place >= slice) return;
    float* const ring = dynamicShared + threadIdx.x;
    float* const ringEnd = ring + (stackLead(taps) + 1) * Turn * kStackThreads;
    const int begin = blockIdx.y * stretch, end = begin + stretch < slices ? begin + stretch : slices;
    float arrival[Turn];
    const auto fetch = [&](int z) {
        const float* const from = in.data + place;
        if (z >= 0 && z + Turn <= in.depth) {
            const float* at = from + static_cast<std::size_t>(z) * slice;
#pragma unroll
            for (int n = 0; n < Turn; ++n, at += slice) arrival[n] = __ldg(at);
        } else {
#pragma unroll
            for (int n = 0; n < Turn; ++n) {
                const int line = remap(z + n, in.depth, in.border);
                arrival[n] = line < 0 ? 0.0F : __ldg(from + static_cast<std::size_t>(line) * slice);
            }
        }
    };
    fetch(first + begin - taps / 2);
    float* slot = ring;
    // z: the first output of which the turn's slices are the last that it needs, before `begin` while the ring fills
#pragma unroll 1
    for (int z = begin - stackLead(taps) * Turn; z < end; z += Turn) {
#pragma unroll
        for (int n = 0; n < Turn; ++n) slot[n * kStackThreads] = arrival[n];
        if (z + Turn < end) fetch(first + z + (stackLead(taps) + 1) * Turn - taps / 2);
        slot += Turn * kStackThreads;
        if (slot == ringEnd) slot = ring;
        if (z < begin) continue;
        float sum[Turn] = {};
        const float* from = slot;  // the oldest slices
        slideQuads<Turn>(sum, constantStack, taps, [&]<int I>(Place<I>, float(&quad)[4]) {
#pragma unroll
            for (int n = 0; n < 4; ++n) quad[n] = from[(I % 4 * 4 + n) * kStackThreads];
            if constexpr (I % 4 == 3) {
                from += Turn * kStackThreads;
                if (from == ringEnd) from = ring;
            }
        });
#pragma unroll
        for (int n = 0; n < Turn; ++n) {
            if (z + n < end) storeOnce(out, z + n, place, 0, sum[n]);
        }
    }
}

constexpr int kRingVolumeRows = 512;  ///< that a block of the first pass filters at most

inline void launchSeparableRingVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    Arguments within = a;
    within.planes = a.planes * (a.depth + 2 * a.lead);
    const Target filtered = scratchOf(c, a, 0);
    const std::int64_t strips = ceilDiv(a.width, RingPolicy<16>::kThreads);
    const int rows = stretchOf(kRingVolumeRows, std::max(32, 2 * a.filterHeight), a.height, strips * within.planes);
    if (a.filterWidth >= RingPolicy<16>::kWidest)
        dispatchVolume(a, [&]<class T>(T) { launchRing<T, 0, 16, 128>(c, within, filtered, rows); });
    else
        launchRings(c, within, filtered, rows);

    const int slice = a.width * a.height;
    const auto blocks = ceilDiv(slice, kStackThreads);
    const int stretch = stretchOf(t.at("rows_per_thread"), std::max(2 * kStackTurn, 2 * a.filterDepth), a.depth,
                                  std::int64_t{blocks} * a.planes);
    const auto shared = sizeof(float) * (stackLead(a.filterDepth) + 1) * kStackTurn * kStackThreads;
    forVolumes(a, static_cast<const float*>(filtered.data), targetOf(c, a), stretch,
               [&](const Volume<float>& in, const Target& out, int first, int slices) {
                   launch(c, &separable_stack<kStackTurn>, dim3(blocks, ceilDiv(slices, stretch)), dim3(kStackThreads),
                          shared, in, a.filterDepth, first, slices, stretch, out);
               });
}

inline Footprint separableRingVolumeFootprint(const TunableValues&, const Box& filter) {
    return separableRingFootprint({{"rows_per_thread", kRingVolumeRows}}, filter.width, filter.height);
}

/// Of the first pass, which takes more of it.
inline std::size_t separableRingVolumeShared(const TunableValues& t, const Box& filter) {
    if (filter.width >= RingPolicy<16>::kWidest) return ringShared<16, 128>(filter.height);
    return separableRingShared(t, filter.width, filter.height);
}

inline const char* separableRingVolumeRefusal(const Arguments& a) {
    return countsInInt(a) ? nullptr : "a slice holds 2^31 values or more: choose separable";
}

static March separableRingMarch(io::PixelType, int filterWidth, int filterHeight) {
    const int granule = takesWideTurns(filterWidth, filterHeight) ? 16 : 8;
    return {.leastRows = (filterHeight + granule - 1) / granule * granule, .granule = granule, .lead = 4};
}

KernelEntry separable_ring_entry() {
    return {.prepare = &prepareConstantFactors,
            .launch = &launchSeparableRing,
            .footprint = &separableRingFootprint,
            .sharedBytes = &separableRingShared,
            .march = &separableRingMarch,
            .needsSeparable = true,
            .volume = {.launch = &launchSeparableRingVolume,
                       .footprint = &separableRingVolumeFootprint,
                       .sharedBytes = &separableRingVolumeShared,
                       .refusal = &separableRingVolumeRefusal,
                       .scratchVolumes = 1}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
