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

/// The same in quarters, where a load takes long: the three pairs of a step are on their way together, and there are
/// half as many steps.
template <class Place, class A, class B>
__device__ Place coRankByQuarters(Place k, Place aCount, Place bCount, A a, B b) {
    Place low = k > bCount ? k - bCount : 0, high = k < aCount ? k : aCount;
    while (high - low >= 4) {
        const Place first = low + (high - low) / 4, middle = low + (high - low) / 2, third = high - (high - low) / 4;
        const bool beforeFirst = b(k - 1 - first) < a(first), beforeMiddle = b(k - 1 - middle) < a(middle);
        const bool beforeThird = b(k - 1 - third) < a(third);
        low = !beforeThird ? third + 1 : !beforeMiddle ? middle + 1 : !beforeFirst ? first + 1 : low;
        high = beforeFirst ? first : beforeMiddle ? middle : beforeThird ? third : high;
    }
    while (low < high) {
        if (b(k - 1 - low) < a(low)) break;
        ++low;
    }
    return low;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
