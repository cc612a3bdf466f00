// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the lanes of a warp do together: shuffles, votes, matches, reductions. Part of kernel_environment.hpp, whose
// words it uses.

#include "gpu/device/simt/bits.hpp"
#include "gpu/device/simt/builtins.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace warplens::gpu::simt {

// A lane that is absent, or outside the segment, gives back the caller's own value, as the hardware does.
template <class T>
T shuffle(unsigned mask, T value, int source, int width, const char* file, int line) {
    const auto& all = warpExchange(mask, toBits(value), file, line);
    const int lane = static_cast<int>(laneOf());
    const int base = lane / width * width;
    if (source < base || source >= base + width || !(all.present >> source & 1U)) return value;
    return fromBits<T>(all.value[source]);
}

template <class T>
concept Word = std::same_as<T, int> || std::same_as<T, unsigned>;

/// Of the lanes that a mask names: those there are, and those of which something holds.
struct Votes {
    unsigned present, yes;
};

template <class Holds>
Votes votesOf(const Exchange& all, Holds holds) {
    Votes votes{all.present, 0};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (all.present >> lane & 1U && holds(all.value[lane])) votes.yes |= 1U << lane;
    }
    return votes;
}

inline Votes vote(unsigned mask, int predicate, const char* file, int line) {
    return votesOf(warpExchange(mask, predicate != 0, file, line), [](std::uint64_t yes) { return yes != 0; });
}

template <class T>
Votes match(unsigned mask, T value, const char* file, int line) {
    const auto own = toBits(value);
    return votesOf(warpExchange(mask, own, file, line), [own](std::uint64_t bits) { return bits == own; });
}

template <class T, class Combine>
T reduce(unsigned mask, T value, Combine combine, const char* file, int line) {
    const auto& all = warpExchange(mask, toBits(value), file, line);
    const unsigned own = laneOf();
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (lane != own && all.present >> lane & 1U) value = combine(value, fromBits<T>(all.value[lane]));
    }
    return value;
}

}  // namespace warplens::gpu::simt

template <class T>
WARPLENS_INTRINSIC T __shfl_sync(unsigned mask, T value, int lane, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int base = static_cast<int>(warplens::gpu::simt::laneOf()) / width * width;
    return warplens::gpu::simt::shuffle(mask, value, base + lane % width, width, file, line);
}
template <class T>
WARPLENS_INTRINSIC T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int lane = static_cast<int>(warplens::gpu::simt::laneOf());
    return warplens::gpu::simt::shuffle(mask, value, lane + static_cast<int>(delta), width, file, line);
}
template <class T>
WARPLENS_INTRINSIC T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int lane = static_cast<int>(warplens::gpu::simt::laneOf());
    return warplens::gpu::simt::shuffle(mask, value, lane - static_cast<int>(delta), width, file, line);
}
template <class T>
WARPLENS_INTRINSIC T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int lane = static_cast<int>(warplens::gpu::simt::laneOf());
    return warplens::gpu::simt::shuffle(mask, value, lane ^ bits, width, file, line);
}
WARPLENS_INTRINSIC unsigned __ballot_sync(unsigned mask, int predicate, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    return warplens::gpu::simt::vote(mask, predicate, file, line).yes;
}
WARPLENS_INTRINSIC int __any_sync(unsigned mask, int predicate, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    return warplens::gpu::simt::vote(mask, predicate, file, line).yes != 0;
}
WARPLENS_INTRINSIC int __all_sync(unsigned mask, int predicate, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const auto votes = warplens::gpu::simt::vote(mask, predicate, file, line);
    return votes.yes == votes.present;
}

/// The lanes of `mask` whose value is this lane's own.
template <class T>
WARPLENS_INTRINSIC unsigned __match_any_sync(unsigned mask, T value, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    return warplens::gpu::simt::match(mask, value, file, line).yes;
}
/// `mask` when the value of all its lanes is the same, else 0; `all` says which.
template <class T>
WARPLENS_INTRINSIC unsigned __match_all_sync(unsigned mask, T value, int* all, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const auto same = warplens::gpu::simt::match(mask, value, file, line);
    *all = same.yes == same.present;
    return *all != 0 ? same.present : 0;
}

#define WARPLENS_REDUCE(name, Words, combined)                                           \
    template <Words T>                                                                   \
    WARPLENS_INTRINSIC T name(unsigned mask, T value, WARPLENS_HERE) {                   \
        WARPLENS_UNRECORDED;                                                             \
        return warplens::gpu::simt::reduce(                                              \
            mask, value, [](T a, T b) { return static_cast<T>(combined); }, file, line); \
    }
// Of compute capability 8.0 on a GPU. Sums wrap around.
WARPLENS_REDUCE(__reduce_add_sync, warplens::gpu::simt::Word, static_cast<unsigned>(a) + static_cast<unsigned>(b))
WARPLENS_REDUCE(__reduce_min_sync, warplens::gpu::simt::Word, std::min(a, b))
WARPLENS_REDUCE(__reduce_max_sync, warplens::gpu::simt::Word, std::max(a, b))
WARPLENS_REDUCE(__reduce_and_sync, std::same_as<unsigned>, a& b)
WARPLENS_REDUCE(__reduce_or_sync, std::same_as<unsigned>, a | b)
WARPLENS_REDUCE(__reduce_xor_sync, std::same_as<unsigned>, a ^ b)
#undef WARPLENS_REDUCE
