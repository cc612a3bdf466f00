// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp's matrix product on the SIMT device: what the lanes hold is exchanged, then each computes its own four values.

namespace warplens::gpu::simt {

/// gpu/common/tensor_cores.cuh says who holds what. Products are exact in single precision; they are added in the order of k.
WARPLENS_INTRINSIC void multiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2], const float (&c)[4],
                                    WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    WARPLENS_RECORD_MATRIX_OPERATIONS(16 * 8 * 16 * 2 / 32);
    constexpr unsigned kAll = 0xffffffffU;
    const auto value = [](std::uint64_t pair, int odd) {
        return fromBits<float>((odd != 0 ? pair >> 16 : pair) << 16 & 0xffff0000U);
    };
    const auto pairOf = [](unsigned low, unsigned high) { return static_cast<std::uint64_t>(high) << 32 | low; };
    // An exchange is overwritten by the next one.
    const Exchange left = warpExchange(kAll, pairOf(a[0], a[1]), file, line);
    const Exchange right = warpExchange(kAll, pairOf(a[2], a[3]), file, line);
    const Exchange columns = warpExchange(kAll, pairOf(b[0], b[1]), file, line);
    const unsigned lane = laneOf(), g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned n = 2 * t + i % 2;
        float sum = c[i];
        for (unsigned k = 0; k < 16; ++k) {
            const auto rows = (k < 8 ? left : right).value[4 * g + k % 8 / 2];
            const auto column = columns.value[4 * n + k % 8 / 2];
            sum += value(i < 2 ? rows & kAll : rows >> 32, k % 2) * value(k < 8 ? column & kAll : column >> 32, k % 2);
        }
        d[i] = sum;
    }
}

}  // namespace warplens::gpu::simt
