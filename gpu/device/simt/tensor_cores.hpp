// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp's matrix product on the SIMT device: what the lanes hold is exchanged, then each computes its own four values.
// And f16 by its bits, which not every compiler has as a type.

namespace warplens::gpu::simt {

/// The nearest f16, ties to even, as its bits; infinite from 65,520 on. `value` is no NaN.
inline unsigned toF16(float value) {
    const unsigned bits = static_cast<unsigned>(toBits(value)), sign = bits >> 16 & 0x8000U,
                   magnitude = bits & 0x7fffffffU;
    if (magnitude >= 0x477ff000U) return sign | 0x7c00U;
    if (magnitude < 0x38800000U) return sign | static_cast<unsigned>(std::nearbyint(std::fabs(value) * 0x1p24F));
    return sign | (magnitude + 0xfffU + (magnitude >> 13 & 1U) - 0x38000000U) >> 13;
}

/// A finite f16's value: its exponent is moved by a multiplication, which serves small values as well.
inline float ofF16(unsigned bits) {
    return fromBits<float>((bits & 0x7fffU) << 13) * 0x1p112F * ((bits & 0x8000U) != 0 ? -1.0F : 1.0F);
}

/// A bf16's value.
inline float ofBf16(unsigned bits) { return fromBits<float>(bits << 16); }

/// gpu/kernels/tensor_cores.cuh says who holds what. Products are exact in single precision; they are added in the
/// order of k.
template <float Decode(unsigned)>
WARPLENS_INTRINSIC void multiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2], const float (&c)[4],
                                    const char* file, int line) {
    WARPLENS_UNRECORDED;
    WARPLENS_RECORD_MATRIX_OPERATIONS(16 * 8 * 16 * 2 / 32);
    constexpr unsigned kAll = 0xffffffffU;
    const auto pairOf = [](unsigned low, unsigned high) { return static_cast<std::uint64_t>(high) << 32 | low; };
    // An exchange is overwritten by the next one.
    const Exchange left = warpExchange(kAll, pairOf(a[0], a[1]), file, line);
    const Exchange right = warpExchange(kAll, pairOf(a[2], a[3]), file, line);
    const Exchange columns = warpExchange(kAll, pairOf(b[0], b[1]), file, line);
    const unsigned lane = laneOf(), g = lane / 4, t = lane % 4;
    // Rows g and g + 8, columns 2t and 2t + 1.
    float rows[2][16], column[2][16];
    for (unsigned k = 0; k < 16; ++k) {
        const auto& half = k < 8 ? left : right;
        const unsigned pair = k % 8 / 2, shift = k % 2 * 16, upper = k < 8 ? 0 : 32;
        for (unsigned i = 0; i < 2; ++i) {
            rows[i][k] = Decode(static_cast<unsigned>(half.value[4 * g + pair] >> (32 * i + shift)) & 0xffffU);
            column[i][k] =
                Decode(static_cast<unsigned>(columns.value[4 * (2 * t + i) + pair] >> (upper + shift)) & 0xffffU);
        }
    }
    for (unsigned i = 0; i < 4; ++i) {
        float sum = c[i];
        for (unsigned k = 0; k < 16; ++k) sum += rows[i / 2][k] * column[i % 2][k];
        d[i] = sum;
    }
}
WARPLENS_INTRINSIC void multiplyAddBf16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                                        const float (&c)[4], WARPLENS_HERE) {
    multiplyAdd<ofBf16>(d, a, b, c, file, line);
}
WARPLENS_INTRINSIC void multiplyAddF16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                                       const float (&c)[4], WARPLENS_HERE) {
    multiplyAdd<ofF16>(d, a, b, c, file, line);
}

}  // namespace warplens::gpu::simt
