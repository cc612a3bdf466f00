// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a lane does with the packs of a chunk at once: sums of integers four bytes an instruction, sums of floats in f32
// registers around a pivot of their own, handed to f64 once for all of them. Extremes are placed by the chunk alone.

#include "gpu/families/reduction/packs.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

struct ChunkPolicy {
    static constexpr unsigned kPacksPerLane = 4;
    static constexpr unsigned kPacks = 32 * kPacksPerLane;  ///< of a chunk, which a warp takes: 2 KiB in a row
    static constexpr unsigned kThreads = 256;
    /// Of additions in f32 that a value goes through: one in each of four accumulators a pack, two to join them.
    static constexpr int kDepth = kPacksPerLane + 2;
    /// Below, squares may have lost what denormals cannot hold.
    static constexpr float kLeastSquares = 0x1p-96F;

    template <class M>
    static constexpr int blocksPerMultiprocessor() {
        return M::kPairs ? 2 : 3;
    }
};

/// A lane's packs of a chunk.
template <class M>
struct LanePacks {
    Pack<typename M::Value> own[ChunkPolicy::kPacksPerLane], other[M::kPairs ? ChunkPolicy::kPacksPerLane : 1];

    __device__ void load(const Packs<M>& packs, Wide chunk) {
        const Wide first = chunk * ChunkPolicy::kPacks + threadIdx.x % 32;
#pragma unroll
        for (unsigned u = 0; u < ChunkPolicy::kPacksPerLane; ++u) {
            own[u] = packs.load(first + u * 32);
            if constexpr (M::kPairs) other[u] = packs.loadOther(first + u * 32);
        }
    }
};

#ifdef __CUDA_ARCH__
__device__ inline unsigned minOfHalves(unsigned a, unsigned b) { return __vminu2(a, b); }
__device__ inline unsigned maxOfHalves(unsigned a, unsigned b) { return __vmaxu2(a, b); }
__device__ inline unsigned gapsOfBytes(unsigned a, unsigned b) { return __vabsdiffu4(a, b); }
__device__ inline unsigned dotOfBytes(unsigned a, unsigned b, unsigned sum) { return __dp4a(a, b, sum); }
#else
__device__ inline unsigned minOfHalves(unsigned a, unsigned b) {
    const unsigned low = (a & 0xffffU) < (b & 0xffffU) ? a : b, high = a >> 16 < b >> 16 ? a : b;
    return (high & 0xffff0000U) | (low & 0xffffU);
}
__device__ inline unsigned maxOfHalves(unsigned a, unsigned b) {
    const unsigned low = (a & 0xffffU) > (b & 0xffffU) ? a : b, high = a >> 16 > b >> 16 ? a : b;
    return (high & 0xffff0000U) | (low & 0xffffU);
}
__device__ inline unsigned gapsOfBytes(unsigned a, unsigned b) {
    unsigned gaps = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const unsigned x = a >> shift & 0xffU, y = b >> shift & 0xffU;
        gaps |= (x > y ? x - y : y - x) << shift;
    }
    return gaps;
}
__device__ inline unsigned dotOfBytes(unsigned a, unsigned b, unsigned sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xffU) * (b >> shift & 0xffU);
    return sum;
}
#endif

constexpr unsigned kOnes = 0x01010101U, kEvenBytes = 0x00ff00ffU;

/// Adds `kCount` packs of integers; `from` is a place at or before their first extremes, later than which is no other
/// chunk of the lane.
template <unsigned kCount, class T>
__device__ void take(const Statistics<T>&, IntegerStatistics& cell, const Pack<T>* packs, const Pack<T>*, Wide from) {
    unsigned low = ~0U, high = 0, sum = 0, squares = 0;
    Wide wideSquares = 0;
#pragma unroll
    for (unsigned u = 0; u < kCount; ++u) {
#pragma unroll
        for (unsigned w = 0; w < 4; ++w) {
            const unsigned word = packs[u].word[w];
            if constexpr (sizeof(T) == 1) {
                const unsigned even = word & kEvenBytes, odd = word >> 8 & kEvenBytes;
                low = minOfHalves(minOfHalves(low, even), odd);
                high = maxOfHalves(maxOfHalves(high, even), odd);
                sum = dotOfBytes(word, kOnes, sum);
                squares = dotOfBytes(word, word, squares);
            } else {
                const unsigned a = word & 0xffffU, b = word >> 16;
                low = minOfHalves(low, word);
                high = maxOfHalves(high, word);
                sum += a + b;
                wideSquares += Wide{a * a} + b * b;
            }
        }
    }
    cell.sum += sum;
    cell.squares += squares + wideSquares;
    const unsigned least = (low & 0xffffU) < low >> 16 ? low & 0xffffU : low >> 16;
    const unsigned most = (high & 0xffffU) > high >> 16 ? high & 0xffffU : high >> 16;
    keepLowest(cell.minimum, cell.minimumAt, least, from);
    keepHighest(cell.maximum, cell.maximumAt, most, from);
}

/// Adds packs of floats. Their squares are taken around the first of them: since that is one of the values, what
/// cancels later is at most their number times what is left.
template <unsigned kCount>
__device__ void take(const Statistics<float>& in, FloatStatistics& cell, const Pack<float>* packs, const Pack<float>*,
                     Wide from) {
    constexpr float kValues = 4 * kCount;
    const float pivot = packs[0][0];
    float sum[4] = {}, off[4] = {}, squares[4] = {}, low = pivot, high = pivot;
#pragma unroll
    for (unsigned u = 0; u < kCount; ++u) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float value = packs[u][k], d = value - pivot;
            sum[k] += value;
            off[k] += d;
            squares[k] = fmaf(d, d, squares[k]);
            low = fminf(low, value);
            high = fmaxf(high, value);
        }
    }
    const float s = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    const float q = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    const float r = (off[0] + off[1]) + (off[2] + off[3]);
    // Neither NaN nor infinity among them, and nothing out of range on the way.
    if (s - s == 0 && q - q == 0 && (q >= ChunkPolicy::kLeastSquares || low == high)) {
        const double e = static_cast<double>(pivot) - static_cast<double>(in.pivot), around = r;
        const double shifted = fma(static_cast<double>(kValues), e, around);
        cell.sums[0] += static_cast<double>(s);
        cell.sums[1] += shifted;
        cell.sums[2] = fma(e, around + shifted, cell.sums[2] + static_cast<double>(q));
        keepLowest(cell.minimum, cell.minimumAt, low, from);
        keepHighest(cell.maximum, cell.maximumAt, high, from);
        return;
    }
    for (unsigned u = 0; u < kCount; ++u) {
        for (int k = 0; k < 4; ++k) in.add(cell, packs[u][k], 0.0F, from);
    }
}

template <unsigned kCount, class T>
__device__ void take(const Comparison<T>&, IntegerComparison& cell, const Pack<T>* packs, const Pack<T>* others, Wide) {
    unsigned largest = 0, mismatches = 0, magnitude = 0, dot = 0, squares = 0;
    Wide wideDot = 0, wideSquares = 0;
#pragma unroll
    for (unsigned u = 0; u < kCount; ++u) {
#pragma unroll
        for (unsigned w = 0; w < 4; ++w) {
            const unsigned a = packs[u].word[w], b = others[u].word[w];
            if constexpr (sizeof(T) == 1) {
                const unsigned gaps = gapsOfBytes(a, b);
                largest = maxOfHalves(maxOfHalves(largest, gaps & kEvenBytes), gaps >> 8 & kEvenBytes);
                // The top bit of a byte says whether any of its bits is set.
                const unsigned differ = ((gaps & 0x7f7f7f7fU) + 0x7f7f7f7fU) | gaps;
                mismatches = dotOfBytes(differ >> 7 & kOnes, kOnes, mismatches);
                magnitude = dotOfBytes(gaps, kOnes, magnitude);
                squares = dotOfBytes(gaps, gaps, squares);
                dot = dotOfBytes(a, b, dot);
            } else {
                const unsigned x = a & 0xffffU, y = b & 0xffffU, z = a >> 16, t = b >> 16;
                const unsigned low = x > y ? x - y : y - x, high = z > t ? z - t : t - z;
                largest = maxOfHalves(largest, high << 16 | low);
                mismatches += (low != 0 ? 1U : 0U) + (high != 0 ? 1U : 0U);
                magnitude += low + high;
                wideSquares += Wide{low * low} + high * high;
                wideDot += Wide{x * y} + z * t;
            }
        }
    }
    const Wide most = (largest & 0xffffU) > largest >> 16 ? largest & 0xffffU : largest >> 16;
    if (most > cell.largest) cell.largest = most;
    cell.mismatches += mismatches;
    cell.magnitude += magnitude;
    cell.squares += squares + wideSquares;
    cell.dot += dot + wideDot;
}

template <unsigned kCount>
__device__ void take(const Comparison<float>& in, FloatComparison& cell, const Pack<float>* packs,
                     const Pack<float>* others, Wide from) {
    float dot[4] = {}, magnitude[4] = {}, squares[4] = {}, largest = 0;
    float low = others[0][0], high = low, sum = 0;
    unsigned mismatches = 0;
#pragma unroll
    for (unsigned u = 0; u < kCount; ++u) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float a = packs[u][k], b = others[u][k], d = fabsf(a - b);
            dot[k] = fmaf(a, b, dot[k]);
            magnitude[k] += d;
            squares[k] = fmaf(d, d, squares[k]);
            largest = fmaxf(largest, d);
            low = fminf(low, b);
            high = fmaxf(high, b);
            mismatches += a != b ? 1U : 0U;
        }
    }
    sum = (dot[0] + dot[1]) + (dot[2] + dot[3]);
    const float m = (magnitude[0] + magnitude[1]) + (magnitude[2] + magnitude[3]);
    const float q = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    if (sum - sum == 0 && m - m == 0 && q - q == 0 && (q >= ChunkPolicy::kLeastSquares || largest == 0)) {
        cell.low = fminf(cell.low, low);
        cell.high = fmaxf(cell.high, high);
        cell.largest = fmaxf(cell.largest, largest);
        cell.mismatches += mismatches;
        cell.sums[0] += static_cast<double>(sum);
        cell.sums[1] += static_cast<double>(m);
        cell.sums[2] += static_cast<double>(q);
        return;
    }
    for (unsigned u = 0; u < kCount; ++u) {
        for (int k = 0; k < 4; ++k) in.add(cell, packs[u][k], others[u][k], from);
    }
}

/// What lies beside whole chunks, for one warp: packs, and the values beside them.
template <class M>
__device__ void takeRest(const Packs<M>& packs, typename M::Cell& cell, unsigned lane) {
    const Wide done = packs.count / ChunkPolicy::kPacks * ChunkPolicy::kPacks;
    for (Wide i = done + lane; i < packs.count; i += 32) {
        const auto own = packs.load(i), other = packs.loadOther(i);
        take<1>(packs.in, cell, &own, &other, packs.firstOf(done));
    }
    if (lane < 16) packs.addRest(cell, lane);
}

/// An extreme and the chunk in which it lies, and where in the channel it is first: in dynamic shared memory.
template <class V>
struct Sought {
    Wide chunk, place;
    V value;
};

/// Turns the chunks in which the extremes lie, as thread 0's cell has them, into their first places, by looking again.
/// Blocks have ChunkPolicy::kThreads.
template <class M>
__device__ void findPlaces(const M& in, typename M::Cell& cell) {
    if constexpr (M::kPlaces) {
        using T = typename M::Value;
        auto* const sought = reinterpret_cast<Sought<decltype(cell.minimum)>*>(dynamicShared);
        __syncthreads();  // what was in shared memory is done with
        if (threadIdx.x == 0) {
            sought[0] = {cell.minimumAt, kNowhere, cell.minimum};
            sought[1] = {cell.maximumAt, kNowhere, cell.maximum};
        }
        __syncthreads();
        constexpr unsigned kShare = ChunkPolicy::kPacks * Pack<T>::kValues / ChunkPolicy::kThreads;
        T values[2][kShare] = {};
        Wide first[2];
#pragma unroll
        for (int s = 0; s < 2; ++s) {  // all asked for before the first is needed
            first[s] = sought[s].chunk == kNowhere ? in.count : sought[s].chunk + threadIdx.x;
#pragma unroll
            for (unsigned k = 0; k < kShare; ++k) {
                const Wide at = first[s] + k * ChunkPolicy::kThreads;
                if (at < in.count) values[s][k] = in.data[at];
            }
        }
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const auto extreme = sought[s].value;
            Wide place = kNowhere;
#pragma unroll
            for (unsigned k = kShare; k-- > 0;) {
                const Wide at = first[s] + k * ChunkPolicy::kThreads;
                if (at < in.count && values[s][k] == extreme) place = at;
            }
            if (place != kNowhere) atomicMin(&sought[s].place, place);
        }
        __syncthreads();  // every thread has looked
        cell.minimumAt = sought[0].place;
        cell.maximumAt = sought[1].place;
    }
}

inline std::uint64_t blocksOfChunks(const Arguments& a, const TunableValues& t, int most) {
    Arguments fit = a;
    TunableValues within = t;
    within["blocks_per_multiprocessor"] = std::min(most, t.at("blocks_per_multiprocessor"));
    return residentBlocks(fit, within, std::uint64_t{ChunkPolicy::kThreads / 32} * ChunkPolicy::kPacks * packValues(a));
}

/// For either measure: the most.
inline std::uint64_t blocksOfChunks(const Arguments& a, const TunableValues& t) {
    return blocksOfChunks(a, t, ChunkPolicy::blocksPerMultiprocessor<Statistics<float>>());
}

inline Footprint footprintOfChunks(const Case& k, const TunableValues&) {
    return rowFootprint(ChunkPolicy::kThreads, ChunkPolicy::kPacksPerLane * packValues(k));
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
