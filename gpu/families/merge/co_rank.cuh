// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

/// How many of the first k values of a merge come from the first list: a binary search along diagonal k of the path, as
/// Green, McColl and Bader bound it. `a` and `b` give keys by place; of equal ones the first list's come first.
template <class Place, class A, class B>
__device__ Place coRank(Place k, Place aCount, Place bCount, A a, B b) {
    Place low = k > bCount ? k - bCount : 0, high = k < aCount ? k : aCount;
    while (low < high) {
        const Place middle = low + (high - low) / 2;
        if (b(k - 1 - middle) < a(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
