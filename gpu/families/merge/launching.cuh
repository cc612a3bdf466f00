// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung needs: pairs of runs, stretches of their outputs, and a merge in sequence.

#include "gpu/families/merge/arguments.hpp"
#include "gpu/families/merge/co_rank.cuh"
#include "gpu/families/merge/keys.cuh"
#include "gpu/kernels/shared.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

using Wide = unsigned long long;

/// Two sorted runs and where they go.
template <class O>
struct Pair {
    using Value = typename O::Value;
    O order;
    const Value *a, *b;
    Wide aCount, bCount;
    Value* out;

    __device__ auto keyA(Wide i) const { return order.key(a[i]); }
    __device__ auto keyB(Wide i) const { return order.key(b[i]); }
    /// How many of the first k outputs come from a.
    __device__ Wide fromA(Wide k) const {
        return coRank(
            k, aCount, bCount, [this](Wide i) { return keyA(i); }, [this](Wide i) { return keyB(i); });
    }
};

/// How many of a stretch's outputs come from a, of which `begin` values lie before it and `end` before what follows. Of
/// lists in order that is the difference; a trace of some blocks has lists that nobody sorted, and must not leave them.
__device__ inline unsigned countBetween(Wide begin, Wide end, unsigned outputs) {
    if (end <= begin) return 0;
    return end - begin < outputs ? static_cast<unsigned>(end - begin) : outputs;
}

/// Outputs of one pair that a block, or a thread, is responsible for.
template <class O>
struct Stretch {
    Pair<O> pair;
    Wide first;      ///< of the pair's outputs
    unsigned count;  ///< 0 beyond the end of a short last pair
};

/// What a block merges, cut out of its pair.
template <class O>
struct Section {
    const typename O::Value *a, *b;
    unsigned aCount, bCount;
    typename O::Value* out;
};

/// All pairs of a pass, cut into stretches of `size` outputs.
template <class O>
struct Pairs {
    using Value = typename O::Value;
    O order;
    const Value* in;
    Value* out;
    Lists lists;
    Wide run, both;             ///< values of a first run, and with its second
    unsigned pairs, stretches;  ///< pairs a list, stretches a pair
    unsigned size;

    // Numbers of blocks have 32 bits, and a division of 64 would cost as much as merging several values.
    __device__ Stretch<O> stretch(unsigned number) const {
        const unsigned pair = number / stretches, list = pair / pairs;
        const Wide begin = (pair - list * pairs) * both, left = lists.length - begin;
        const Wide values = left < both ? left : both, aCount = values < run ? values : run;
        const Wide at = lists.first + list * lists.stride + begin, first = Wide{number - pair * stretches} * size;
        const Wide after = first < values ? values - first : 0;
        return {{order, in + at, in + at + aCount, aCount, values - aCount, out + at},
                first,
                after < size ? static_cast<unsigned>(after) : size};
    }
    unsigned all() const { return static_cast<unsigned>(lists.count) * pairs * stretches; }
};

inline Wide ceilDivWide(Wide a, Wide b) { return (a + b - 1) / b; }

inline Wide stretchesOf(const Pass& pass, unsigned size) {
    const Wide pairs = ceilDivWide(pass.lists.length, pass.both);
    return pass.lists.count * pairs * ceilDivWide(pairs == 1 ? pass.lists.length : pass.both, size);
}

template <class O>
Pairs<O> pairsOf(LaunchContext& c, const Pass& pass, O order, unsigned size) {
    using Value = typename O::Value;
    const Wide pairs = ceilDivWide(pass.lists.length, pass.both);
    return {order,
            static_cast<const Value*>(c.address(pass.input)),
            static_cast<Value*>(c.address(pass.output)),
            pass.lists,
            pass.run,
            pass.both,
            static_cast<unsigned>(pairs),
            static_cast<unsigned>(ceilDivWide(pairs == 1 ? pass.lists.length : pass.both, size)),
            size};
}

/// Merges `count` values in sequence from places i and j on: a(place) and b(place) give keys, take(number, key) gets
/// them.
template <class Place, class A, class B, class Take>
__device__ void mergeRun(Place i, Place aCount, Place j, Place bCount, unsigned count, A a, B b, Take take) {
    using Key = decltype(a(i));
    Key fromA{}, fromB{};
    if (i < aCount) fromA = a(i);
    if (j < bCount) fromB = b(j);
    for (unsigned k = 0; k < count; ++k) {
        const bool takesA = j >= bCount || (i < aCount && !(fromB < fromA));
        take(k, takesA ? fromA : fromB);
        if (takesA) {
            if (++i < aCount) fromA = a(i);
        } else {
            if (++j < bCount) fromB = b(j);
        }
    }
}

/// The same into registers, of two lists in one array: places from i and j on, keys by key(place).
template <unsigned kItems, class Key, class At>
__device__ void mergeItems(unsigned i, unsigned iEnd, unsigned j, unsigned jEnd, At key, Key (&merged)[kItems]) {
    // Where neither list can end, nobody asks whether it has, and j follows from i. One value more is loaded than
    // taken.
    if (i + kItems < iEnd && j + kItems < jEnd) {
        Key fromA = key(i), fromB = key(j);
        const unsigned behind = i + j + 1;
#pragma unroll
        for (unsigned n = 0; n < kItems; ++n) {
            const bool takesA = !(fromB < fromA);
            merged[n] = takesA ? fromA : fromB;
            const unsigned next = takesA ? i + 1 : behind + n - i;
            i = takesA ? next : i;
            const Key loaded = key(next);
            fromA = takesA ? loaded : fromA;
            fromB = takesA ? fromB : loaded;
        }
        return;
    }
    mergeRun(i, iEnd, j, jEnd, kItems, key, key, [&](unsigned n, Key taken) { merged[n] = taken; });
}

/// Which quantiles are picked.
struct Shares {
    int permille[Picks::kWords - 1];

    /// Place of a quantile among so many sorted numbers, as placeOf(); 0 where there is none.
    __device__ Wide place(unsigned quantile, Wide numbers) const {
        const Wide last = numbers == 0 ? 0 : numbers - 1, share = static_cast<unsigned>(permille[quantile]);
        return last / 1000 * share + last % 1000 * share / 1000;
    }
};

inline Shares sharesOfPicks() {
    Shares shares{};
    std::copy(kPermille.begin(), kPermille.end(), shares.permille);
    return shares;
}

inline unsigned blockWidthOf(const TunableValues& t) { return static_cast<unsigned>(t.at("block_width")); }
inline unsigned outputsOf(const TunableValues& t) { return static_cast<unsigned>(t.at("outputs_per_thread")); }

/// Launches a kernel of a pass: a block a stretch of `size` outputs.
template <class O>
void launchStretches(LaunchContext& c, const Pass& pass, O order, unsigned threads, unsigned size, std::size_t shared,
                     void (*kernel)(Pairs<O>)) {
    const auto pairs = pairsOf(c, pass, order, size);
    launch(c, kernel, dim3(pairs.all()), dim3(threads), shared, pairs);
}

inline Footprint stretchFootprint(unsigned threads, unsigned outputs, bool staged) {
    return {.blockWidth = static_cast<int>(threads),
            .blockHeight = 1,
            .tileWidth = static_cast<int>(outputs),
            .tileHeight = 1,
            .staged = staged,
            .order = Order::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
